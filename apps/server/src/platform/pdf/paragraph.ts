import bidiFactory from 'bidi-js';
import type { FaceRun, FontFaces, Glyph } from './font-faces.ts';

const bidi = bidiFactory();

/** A part of a paragraph that looks the same. */
export interface Span {
  readonly text: string;
  readonly isBold?: boolean;
  /** Less black: labels and what is beside the matter. */
  readonly isMuted?: boolean;
}

/** Glyphs of one face and one look, from left to right. */
export interface Piece {
  readonly face: number;
  readonly isMuted: boolean;
  readonly glyphs: readonly Glyph[];
}

/** A line as it stands on paper, from left to right; its width is in parts of the size of the text. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
}

/** A paragraph in lines. One that begins in Arabic or Hebrew stands at the right. */
export interface Laid {
  readonly isRtl: boolean;
  readonly lines: readonly Line[];
}

interface Run extends FaceRun {
  readonly isMuted: boolean;
}

/** A run that has one direction, with its glyphs from left to right. */
interface ShapedRun extends Run {
  readonly level: number;
  readonly glyphs: readonly Glyph[];
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** What browsers and PostgreSQL take for the end of a line; each of them is one here. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const TAB = '    ';

/** The lines of a text by its own line ends, each of which is a paragraph; a tab is four blanks. */
export function splitParagraphs(text: string): string[] {
  return text.replaceAll('\t', TAB).split(LINE_END);
}

/** Lays a paragraph without line ends into lines of a width in parts of the size of the text: shaped (HarfBuzz), ordered (UAX #9), broken. */
export function layParagraph(fonts: FontFaces, spans: readonly Span[], width: number): Laid {
  const { text, runs } = joinSpans(fonts, spans);
  const { levels, base } = levelsOf(text);
  const shaped = runs.flatMap((run) => splitByLevel(run, levels)).map((run) => shapeRun(fonts, text, run));
  const sums = new Float64Array(text.length + 1);
  for (const { glyphs } of shaped) {
    for (const { cluster, advance } of glyphs) sums[cluster + 1] = (sums[cluster + 1] ?? 0) + advance;
  }
  for (let at = 1; at <= text.length; at++) sums[at] = (sums[at] ?? 0) + (sums[at - 1] ?? 0);
  const lines = breakLines(text, sums, width).map(({ start, end }) => ({
    pieces: orderPieces(shaped, { start, end, trimmed: start + text.slice(start, end).trimEnd().length, base }),
    width: (sums[end] ?? 0) - (sums[start] ?? 0),
  }));
  return { isRtl: base === 1, lines };
}

function joinSpans(fonts: FontFaces, spans: readonly Span[]): { text: string; runs: Run[] } {
  let text = '';
  const runs: Run[] = [];
  for (const { text: written, isBold = false, isMuted = false } of spans) {
    const chosen = fonts.choose(written, isBold);
    for (const { start, end, face } of chosen.runs) {
      runs.push({ start: text.length + start, end: text.length + end, face, isMuted });
    }
    text += chosen.text;
  }
  return { text, runs };
}

function levelsOf(text: string): { levels: Uint8Array | null; base: number } {
  if (!RIGHT_TO_LEFT.test(text)) return { levels: null, base: 0 };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  return { levels, base: (paragraphs[0]?.level ?? 0) % 2 };
}

interface LeveledRun extends Run {
  readonly level: number;
}

function splitByLevel(run: Run, levels: Uint8Array | null): LeveledRun[] {
  if (levels === null) return [{ ...run, level: 0 }];
  const parts: LeveledRun[] = [];
  for (let start = run.start; start < run.end; ) {
    const level = levels[start] ?? 0;
    let end = start + 1;
    while (end < run.end && levels[end] === level) end++;
    parts.push({ ...run, start, end, level });
    start = end;
  }
  return parts;
}

function shapeRun(fonts: FontFaces, text: string, run: LeveledRun): ShapedRun {
  return { ...run, glyphs: fonts.shape(text, run, run.level % 2 === 1) };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A line may end after these, and before a blank never. */
const BREAK_AFTER = /[\s\u200b\u2010\u2013\u2014/-]/;
const BLANK = /\s/;
/** What belongs to the character before it. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d|\ufe0f|[\udc00-\udfff])/u;

function breakLines(text: string, sums: Float64Array, width: number): Range[] {
  const lines: Range[] = [];
  const sum = (at: number) => sums[at] ?? 0;
  let start = 0;
  let chance = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const isBlank = BLANK.test(character);
    if (!isBlank && sum(at + 1) - sum(start) > width && at > start) {
      const end = chance > start ? chance : startOfCharacter(text, at, start);
      if (end > start) {
        lines.push({ start, end });
        start = end;
      }
    }
    if (BREAK_AFTER.test(character)) chance = at + 1;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** Where a word may be cut that is longer than a line: never inside of what is seen as one character. */
function startOfCharacter(text: string, at: number, least: number): number {
  let place = at;
  while (place > least && (CONTINUES.test(text.slice(place, place + 2)) || text.charAt(place - 1) === '\u200d'))
    place--;
  return place;
}

interface LineRange extends Range {
  /** Where its blanks at the end begin: they go where the paragraph ends. */
  readonly trimmed: number;
  readonly base: number;
}

/** UAX #9, L1 and L2, for runs: from the highest level down, whatever has at least that level is turned around. */
function orderPieces(runs: readonly ShapedRun[], { start, end, trimmed, base }: LineRange): Piece[] {
  const pieces = runs.flatMap((run) => {
    const isOutside = run.end <= start || run.start >= end;
    if (isOutside) return [];
    const cut = (from: number, to: number) => run.glyphs.filter(({ cluster }) => cluster >= from && cluster < to);
    const seen = { ...run, glyphs: cut(start, Math.min(end, trimmed)) };
    const blanks = { ...run, level: base, glyphs: cut(Math.max(start, trimmed), end) };
    return [seen, blanks].filter(({ glyphs }) => glyphs.length > 0);
  });
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < pieces.length; ) {
      let to = from;
      while (to < pieces.length && (pieces[to]?.level ?? 0) >= level) to++;
      if (to > from + 1) pieces.splice(from, to - from, ...pieces.slice(from, to).reverse());
      from = Math.max(to, from + 1);
    }
  }
  return pieces.map(({ face, isMuted, glyphs }) => ({ face, isMuted, glyphs }));
}
