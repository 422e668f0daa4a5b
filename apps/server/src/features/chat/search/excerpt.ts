import { foldText, type SearchTerm, tokenize } from './search-terms.ts';

/** The part of a text that begins at `start` and ends before `end`, in UTF-16 units. */
interface Range {
  start: number;
  end: number;
}

export interface Excerpt {
  readonly excerpt: string;
  readonly ranges: Range[];
}

const LONGEST = 180;
/** How much is shown before what was found: so little that a phone shows it too, behind the name of who said it. */
const BEFORE = 16;

/** The words around what was found first, on one line, and where what was found stands in them. */
export function excerptOf(body: string, terms: readonly SearchTerm[]): Excerpt {
  const found = rangesOf(body, terms);
  const line = body.replaceAll(/\s/g, ' ');
  const start = startOf(line, found[0]?.start ?? 0);
  const end = endOf(line, start, found[0]?.end ?? 0);
  const before = start > 0 ? '…' : '';
  const shift = before.length - start;
  return {
    excerpt: `${before}${line.slice(start, end)}${end < line.length ? '…' : ''}`,
    ranges: found
      .filter((range) => range.start >= start && range.start < end)
      .map((range) => ({ start: range.start + shift, end: Math.min(range.end, end) + shift })),
  };
}

/** Where what was found stands in a text that is shown whole. */
export function rangesOf(text: string, terms: readonly SearchTerm[]): Range[] {
  const folded = foldWithPlaces(text);
  return apart(terms.flatMap((term) => findTerm(folded, term)));
}

interface Folded {
  readonly text: string;
  /** For each unit of the folded text where the sign that it came from begins and ends. */
  readonly places: readonly Range[];
}

function foldWithPlaces(body: string): Folded {
  const parts: string[] = [];
  const places: Range[] = [];
  let at = 0;
  for (const sign of body) {
    const folded = sign < '\u0080' ? sign.toLowerCase() : foldText(sign);
    parts.push(folded);
    for (let unit = 0; unit < folded.length; unit++) places.push({ start: at, end: at + sign.length });
    at += sign.length;
  }
  return { text: parts.join(''), places };
}

function findTerm({ text, places }: Folded, { tokens, match }: SearchTerm): Range[] {
  const said = tokenize(text);
  const found: Range[] = [];
  for (const [index, { at }] of said.entries()) {
    const run = said.slice(index, index + tokens.length);
    const last = run.at(-1);
    const wanted = tokens.at(-1) ?? '';
    if (last === undefined || run.length < tokens.length) break;
    if (run.slice(0, -1).some(({ word }, place) => word !== tokens[place])) continue;
    const offset = offsetIn(last.word, wanted, match);
    if (offset < 0) continue;
    const from = places[tokens.length > 1 ? at : last.at + offset];
    const to = places[last.at + offset + wanted.length - 1];
    if (from && to) found.push({ start: from.start, end: to.end });
  }
  return found;
}

/** Where the wanted word stands in a word that was said; -1 where it does not fit. */
function offsetIn(word: string, wanted: string, match: SearchTerm['match']): number {
  if (match === 'part') return word.indexOf(wanted);
  const fits = match === 'whole' ? word === wanted : word.startsWith(wanted);
  return fits ? 0 : -1;
}

/** In their order; those that touch are one. */
function apart(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    if (before && start <= before.end) before.end = Math.max(before.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** A little before what was found, where a word begins. */
function startOf(line: string, found: number): number {
  const earliest = found - BEFORE;
  if (earliest <= 0) return 0;
  const space = line.indexOf(' ', earliest);
  return space >= 0 && space < found ? space + 1 : found;
}

/** Where the room ends, or the word before that; what was found is not cut but by the room itself. */
function endOf(line: string, start: number, foundEnd: number): number {
  const latest = start + LONGEST;
  if (latest >= line.length) return line.length;
  const space = line.lastIndexOf(' ', latest);
  if (space > Math.max(start, foundEnd)) return space;
  // Not between the halves of a sign.
  return /[\ud800-\udbff]/.test(line.charAt(latest - 1)) ? latest - 1 : latest;
}
