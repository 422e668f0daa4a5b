import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

/** Whether a request asks for this server by one of its names, named once. */
export type IsForUs = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => boolean;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i;

/**
 * The names are those of HOST, of the public address and of the loopback: a name that somebody else points here (DNS
 * rebinding) is none of them. Ports are not compared, since proxies and forwarded ports have their own, and no page can
 * choose the name that its browser says.
 */
export function createHostCheck({ host, publicUrl }: { host: string; publicUrl: string | null }): IsForUs {
  const names = new Set([...LOOPBACK, ...namesOf(host), ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])]);
  return ({ headers, rawHeaders }) => {
    const given = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length;
    if (given > 1) return false;
    // HTTP/1.0 knows no Host; where one is needed, Node or the caller asks for it.
    if (headers.host === undefined) return true;
    return HOST.test(headers.host) && names.has(headers.host.replace(/:\d+$/, '').toLowerCase());
  };
}

/** Listening on every interface it goes by the address of each, and by the machine's name. */
function namesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [bracketed(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => bracketed(address))];
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address.split('%')[0]}]` : address.toLowerCase();
}
