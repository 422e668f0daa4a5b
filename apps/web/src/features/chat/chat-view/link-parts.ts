export type TextPart = { readonly text: string; readonly href: string | null; readonly at: number };

const address = /https?:\/\/[^\s<>"'`{}|\\^]+/gi;
const closing = /[.,;:!?)\]]+$/;

/** Cuts a text into plain parts and http(s) links; everything else stays text. Marks that end a sentence are not part of a link. */
export function linkParts(body: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of body.matchAll(address)) {
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
  if (!URL.canParse(found)) return null;
  const url = new URL(found);
  // A name before the host makes an address look like another site's.
  const isPlain =
    (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' && !url.username && !url.password;
  return isPlain ? url.href : null;
}
