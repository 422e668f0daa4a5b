export type TextPart = { readonly text: string; readonly href: string | null; readonly at: number };

const address = /(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^]+/u.source;
const mail = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u.source;
// As people write them: with + or a leading 0, seven digits at least. A count, a dose or an MRN is no telephone number.
const telephone = /(?<![\p{L}\p{N}.,/:+-])(?:\+|0)\d(?:[ ()/-]{0,2}\d){5,13}(?![\p{L}\p{N}:/-]|[.,]\d)/u.source;
const linkable = new RegExp(`${address}|${mail}|${telephone}`, 'giu');
const closing = /[.,;:!?)\]]+$/;

/**
 * Cuts a text into plain parts and links: http(s), `www.`, mail addresses and telephone numbers; everything else stays
 * text. Marks that end a sentence are not part of a link.
 */
export function linkParts(body: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of body.matchAll(linkable)) {
    const found = trimEnd(match[0]);
    const href = safeHref(found);
    if (!href) continue;
    if (match.index > from) parts.push({ text: body.slice(from, match.index), href: null, at: from });
    parts.push({ text: found, href, at: match.index });
    from = match.index + found.length;
  }
  if (from < body.length) parts.push({ text: body.slice(from), href: null, at: from });
  return parts;
}

function trimEnd(found: string): string {
  const end = closing.exec(found)?.[0] ?? '';
  // A closing bracket stays where the address opened one.
  const keeps = end.startsWith(')') && found.includes('(') ? 1 : 0;
  return found.slice(0, found.length - end.length + keeps);
}

function safeHref(found: string): string | null {
  if (/^https?:/i.test(found)) return safeAddress(found);
  if (/^www\./i.test(found)) return found.includes('@') ? null : safeAddress(`https://${found}`);
  if (found.includes('@')) return `mailto:${found}`;
  return `tel:${found.replaceAll(/[^\d+]/g, '')}`;
}

/** An address of the web that can be led to, as it is written in full; null for every other. */
export function safeAddress(found: string): string | null {
  if (!URL.canParse(found)) return null;
  const url = new URL(found);
  // A name before the host makes an address look like another site's.
  const isPlain =
    (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' && !url.username && !url.password;
  return isPlain ? url.href : null;
}
