import { ClientConfig } from '@wardline/contract/config.ts';

const timeoutMs = 10_000;

/** Reads and checks /config.json; offline the service worker answers with the one kept. */
export async function fetchConfig(): Promise<ClientConfig> {
  const answer = await fetch('/config.json', {
    headers: { Accept: 'application/json' },
    cache: 'no-cache',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw new Error(`/config.json was answered with ${answer.status}.`);
  return ClientConfig.parse(await answer.json());
}
