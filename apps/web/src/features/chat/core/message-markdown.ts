import { linkParts, safeAddress } from './link-parts.ts';

/** A piece of a line. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly text: string; readonly href: string }
  | { readonly type: 'strong' | 'emphasis'; readonly children: readonly Inline[] };

export interface ListItem {
  /** The number as it was written, with its point or bracket; null where a dash, asterisk or dot was. */
  readonly number: string | null;
  readonly content: readonly Inline[];
}

/** What stands below each other in a message. */
export type Block =
  | { readonly type: 'paragraph' | 'quote'; readonly content: readonly Inline[] }
  | { readonly type: 'list'; readonly isNumbered: boolean; readonly items: readonly ListItem[] }
  | { readonly type: 'code'; readonly text: string };

const fence = /^```[\w-]*\s*$/;
// '> 38.5' is a comparison and '- 5' may be a minus: before a figure neither mark is taken for one.
const quoted = /^>\s?(?!\s*[\d.,<>=≥≤])(.*)$/u;
const bullet = /^ {0,3}(?:[-*•]\s+(?=\S)(?![\d.,]))(.*)$/u;
const numbered = /^ {0,3}(\d{1,3}[.)])\s+(\S.*)$/u;

/**
 * Reads the Markdown that messages know: bold, italic, code, links, lists, quotes, fenced code. Marks count at the edges of
 * words and around words only, so that no sign of a dose, a range or a calculation is ever taken for one (5*3*2, > 140, a_b);
 * everything else, HTML included, stays text. Returns what is drawn, in order.
 */
export function readMarkdown(body: string): readonly Block[] {
  const lines = body.split('\n');
  const blocks: Block[] = [];
  let plain: string[] = [];
  const endParagraph = () => {
    if (plain.length > 0) blocks.push({ type: 'paragraph', content: readInline(plain.join('\n')) });
    plain = [];
  };
  for (let at = 0; at < lines.length; ) {
    const { block, next } = readBlock(lines, at);
    if (block === null) {
      plain.push(lines[at] ?? '');
    } else {
      endParagraph();
      blocks.push(block);
    }
    at = next;
  }
  endParagraph();
  return blocks;
}

/** The words of a message without its marks, a line for each block and list item. */
export function plainText(body: string): string {
  const lines = readMarkdown(body).flatMap((block) => {
    if (block.type === 'code') return block.text;
    if (block.type !== 'list') return plainInline(block.content);
    return block.items.map(({ number, content }) => `${number ?? '•'} ${plainInline(content)}`);
  });
  return lines.join('\n');
}

function plainInline(content: readonly Inline[]): string {
  return content.map((part) => ('children' in part ? plainInline(part.children) : part.text)).join('');
}

/** The list, quote or code that begins in this line, and the line after it; null where none does. */
function readBlock(lines: readonly string[], at: number): { block: Block | null; next: number } {
  const line = lines[at] ?? '';
  if (fence.test(line)) {
    const end = lines.findIndex((other, index) => index > at && other.trim() === '```');
    if (end > at + 1) return { block: { type: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
  }
  const next = (pattern: RegExp) => {
    const end = lines.findIndex((other, index) => index > at && !pattern.test(other));
    return end < 0 ? lines.length : end;
  };
  if (quoted.test(line)) {
    const end = next(quoted);
    const text = lines.slice(at, end).map((other) => quoted.exec(other)?.[1] ?? '');
    return { block: { type: 'quote', content: readInline(text.join('\n')) }, next: end };
  }
  for (const pattern of [bullet, numbered]) {
    if (!pattern.test(line)) continue;
    const end = next(pattern);
    const items = lines.slice(at, end).map((other) => readItem(pattern.exec(other) ?? []));
    return { block: { type: 'list', isNumbered: pattern === numbered, items }, next: end };
  }
  return { block: null, next: at + 1 };
}

function readItem(match: readonly string[]): ListItem {
  const content = readInline(match.at(-1) ?? '');
  return { number: match.length > 2 ? (match[1] ?? null) : null, content };
}

interface Atom {
  readonly from: number;
  readonly to: number;
  readonly node: Inline;
}

const code = /`([^`\n]+)`/gu;
const link = /\[([^\][\n]+)\]\(([^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)/gu;
/** Stands for a character of an atom: neither space nor word, so that marks may touch it. */
const ATOM = '\uFFFC';

/** Code and links are whole: marks inside them say nothing, marks around them do. */
function readInline(text: string): readonly Inline[] {
  const atoms = findAtoms(text);
  let masked = text;
  for (const { from, to } of atoms) masked = masked.slice(0, from) + ATOM.repeat(to - from) + masked.slice(to);
  return readSpan({ text, masked, atoms }, 0, text.length);
}

function findAtoms(text: string): readonly Atom[] {
  const atoms: Atom[] = [];
  const isFree = (from: number, to: number) => atoms.every((atom) => to <= atom.from || from >= atom.to);
  for (const match of text.matchAll(code)) {
    const node = { type: 'code', text: match[1] ?? '' } as const;
    atoms.push({ from: match.index, to: match.index + match[0].length, node });
  }
  for (const match of text.matchAll(link)) {
    const [whole, label = '', address = ''] = match;
    const href = safeAddress(address);
    const to = match.index + whole.length;
    // Words that look like an address themselves could name another place than the one they lead to.
    if (href === null || /\w[.:@]\w/u.test(label) || !isFree(match.index, to)) continue;
    atoms.push({ from: match.index, to, node: { type: 'link', text: label, href } });
  }
  for (const { text: address, href, at } of linkParts(text)) {
    const to = at + address.length;
    if (href !== null && isFree(at, to)) atoms.push({ from: at, to, node: { type: 'link', text: address, href } });
  }
  return atoms.sort((a, b) => a.from - b.from);
}

interface Line {
  readonly text: string;
  /** The text with its atoms covered. */
  readonly masked: string;
  readonly atoms: readonly Atom[];
}

const marks = /\*\*|\*|_/gu;
const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
const isSpace = (sign: string | undefined) => sign === undefined || /\s/u.test(sign);
/** Farther apart than this, two marks do not belong together; keeps a text of nothing but marks readable in time. */
const longestSpan = 600;

function readSpan(line: Line, from: number, to: number): readonly Inline[] {
  const nodes: Inline[] = [];
  let begun = from;
  for (const match of line.masked.slice(from, to).matchAll(marks)) {
    const [mark] = match;
    const index = from + match.index;
    if (index < begun) continue;
    const end = findEnd(line, mark, index, to);
    if (end === null) continue;
    nodes.push(...readPlain(line, begun, index));
    const children = readSpan(line, index + mark.length, end);
    nodes.push({ type: mark === '**' ? 'strong' : 'emphasis', children });
    begun = end + mark.length;
  }
  return [...nodes, ...readPlain(line, begun, to)];
}

/** Where what this mark opens ends: in its line, at the edge of a word, around at least one; null where it opens nothing. */
function findEnd({ masked }: Line, mark: string, index: number, to: number): number | null {
  const start = index + mark.length;
  const sign = mark[0];
  if (isWord(masked[index - 1]) || masked[index - 1] === sign || masked[start] === sign || isSpace(masked[start])) {
    return null;
  }
  const lineEnd = masked.indexOf('\n', start);
  const limit = Math.min(lineEnd < 0 ? to : lineEnd, to, start + longestSpan);
  for (let end = masked.indexOf(mark, start); end >= 0; end = masked.indexOf(mark, end + 1)) {
    if (end + mark.length > limit) return null;
    const before = masked[end - 1];
    const after = masked[end + mark.length];
    if (before === sign || after === sign || isSpace(before) || isWord(after)) continue;
    if (/[\p{L}\uFFFC]/u.test(masked.slice(start, end))) return end;
  }
  return null;
}

/** What lies between marks: text and the atoms in it. */
function readPlain({ text, atoms }: Line, from: number, to: number): readonly Inline[] {
  const nodes: Inline[] = [];
  let begun = from;
  for (const atom of atoms) {
    if (atom.from < begun || atom.to > to) continue;
    if (atom.from > begun) nodes.push({ type: 'text', text: text.slice(begun, atom.from) });
    nodes.push(atom.node);
    begun = atom.to;
  }
  if (begun < to) nodes.push({ type: 'text', text: text.slice(begun, to) });
  return nodes;
}
