import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as hb from 'harfbuzzjs';
import { subsetFont } from './font-subset.ts';
import { type PdfObjects, utf16Hex } from './pdf-objects.ts';

const require = createRequire(import.meta.url);

const FILES = [
  require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-symbols/400Regular/NotoSansSymbols_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
] as const;
const EMOJI = FILES.length - 1;
/** In which order a character is looked for: the places of the typefaces in `FILES`. */
const REGULAR = [0, 2, 4, 6, 7, 8, EMOJI];
const BOLD = [1, 3, 5, 6, 7, 8, EMOJI];

/** A sign on paper. Lengths are parts of the size of the text. */
export interface Glyph {
  /** By which pages name it: two bytes, its own for each pair of picture and text, so that what is read back is what was written. */
  readonly code: number;
  /** Of the text that it stands for: the index of the first character. */
  readonly cluster: number;
  /** How far the next one is, and how far the font says it is. */
  readonly advance: number;
  readonly width: number;
  readonly dx: number;
  readonly dy: number;
  /** It is a part of a sign, such as a dot that a face draws by itself, and stands for no character. */
  readonly isApart: boolean;
}

/** A stretch of a text that one face writes. */
export interface FaceRun {
  readonly start: number;
  readonly end: number;
  readonly face: number;
}

interface Face {
  readonly bytes: Uint8Array;
  readonly hbFace: hb.Face;
  readonly font: hb.Font;
  readonly covered: ReadonlySet<number>;
  /** By number of the glyph and text: its code; and of each code, from 1 on, both. */
  readonly codes: Map<string, number>;
  readonly coded: { readonly glyph: number; readonly text: string }[];
}

/** Characters that only change others or order, and are not seen. U+FEFF is none: PDF/A has no place for it. */
const UNSEEN = /^(?!\ufeff)\p{Default_Ignorable_Code_Point}$/u;
const EMOJI_SHOWN = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u;
const PLAIN = /^[\x20-\x7e]*$/;
/** Its letters change by their neighbours, and the main face has them beside others: they are shaped by themselves. */
const DEVANAGARI = /^[\u0900-\u097f\ua8e0-\ua8ff]/;
const NO_FACE = -1;
const MOST_CHOICES = 20_000;
const MOST_CODES = 65_000;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const codePoint = (character: string) => character.codePointAt(0) ?? 0;

/** The typefaces of a document: which of them writes what, how it is shaped, and the parts of them that the file has to carry. */
export class FontFaces {
  readonly #faces: readonly Face[];
  readonly #buffer = new hb.Buffer();
  /** The face that has all of a grapheme, or `NO_FACE`. */
  readonly #choices = new Map<string, number>();

  constructor() {
    this.#faces = FILES.map((file) => openFace(readFileSync(file)));
  }

  /**
   * Which face writes which part of a text, and the text as it can be written: what no face has stands there by its number, as in
   * `[U+4E2D U+6587]`.
   */
  choose(written: string, isBold: boolean): { text: string; runs: FaceRun[] } {
    const order = isBold ? BOLD : REGULAR;
    const main = order[0] ?? 0;
    if (PLAIN.test(written) || this.#hasAll(main, written)) {
      return { text: written, runs: written === '' ? [] : splitDevanagari(written, main) };
    }
    let text = '';
    const runs: FaceRun[] = [];
    for (const { part, face } of this.#nameMissing(written, order)) {
      const last = runs.at(-1);
      const start = text.length;
      const own = part === ' ' ? this.#faceOfBlank(last?.face ?? main, main) : face;
      text += part;
      const isSame = last?.face === own && DEVANAGARI.test(part) === DEVANAGARI.test(text.slice(last.start));
      if (last && isSame) runs[runs.length - 1] = { ...last, end: text.length };
      else runs.push({ start, end: text.length, face: own });
    }
    return { text, runs };
  }

  /** The glyphs of a run from left to right; `text` is the whole, since letters join across runs. */
  shape(text: string, { start, end, face }: FaceRun, isRtl: boolean): Glyph[] {
    const { font, hbFace } = this.#face(face);
    const buffer = this.#buffer;
    buffer.reset();
    buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS);
    buffer.addText(text, start, end - start);
    buffer.setDirection(isRtl ? hb.Direction.RTL : hb.Direction.LTR);
    buffer.setLanguage('en');
    buffer.guessSegmentProperties();
    hb.shape(font, buffer);
    const infos = buffer.getGlyphInfosAndPositions();
    const texts = textsOfGlyphs(text, { clusters: infos.map(({ cluster }) => cluster), end, isRtl });
    const em = hbFace.upem;
    return infos.map(({ codepoint: glyph, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }, index) => ({
      code: this.#codeOf(face, glyph, texts[index] ?? NOTHING),
      cluster,
      advance: xAdvance / em,
      width: font.glyphHAdvance(glyph) / em,
      dx: xOffset / em,
      dy: yOffset / em,
      isApart: texts[index] === NOTHING && !text.startsWith(NOTHING, cluster),
    }));
  }

  /** Writes the faces that were used, each with the glyphs that were; answers what a page's resources say of fonts. */
  write(objects: PdfObjects): string {
    const used = this.#faces.flatMap((face, index) =>
      face.coded.length === 0 ? [] : [`/F${index} ${writeFace(objects, face)} 0 R`],
    );
    return `<<${used.join(' ')}>>`;
  }

  #face(index: number): Face {
    const face = this.#faces[index];
    if (!face) throw new Error(`there is no face ${index}`);
    return face;
  }

  #codeOf(index: number, glyph: number, text: string): number {
    const { codes, coded } = this.#face(index);
    const key = `${glyph} ${text}`;
    const known = codes.get(key);
    if (known !== undefined) return known;
    // A face has some thousand glyphs, and a glyph few spellings.
    if (coded.length >= MOST_CODES) throw new Error('a face of the PDF has no code left');
    coded.push({ glyph, text });
    codes.set(key, coded.length);
    return coded.length;
  }

  #hasAll(face: number, text: string): boolean {
    const { covered } = this.#face(face);
    for (const character of text) {
      if (!covered.has(codePoint(character)) && (!UNSEEN.test(character) || character === '\ufe0f')) return false;
    }
    return true;
  }

  #choose(text: string, order: readonly number[]): number {
    const key = `${order[0]}${text}`;
    const known = this.#choices.get(key);
    if (known !== undefined) return known;
    const tried = EMOJI_SHOWN.test(text) ? [EMOJI, ...order] : order;
    const face = tried.find((index) => this.#has(index, text)) ?? NO_FACE;
    if (this.#choices.size >= MOST_CHOICES) this.#choices.clear();
    this.#choices.set(key, face);
    return face;
  }

  /** The parts of a text with their faces: instead of characters that no face has, their numbers. */
  *#nameMissing(
    written: string,
    order: readonly number[],
  ): Generator<{ readonly part: string; readonly face: number }> {
    let missing: string[] = [];
    for (const found of this.#findFaces(written, order)) {
      if (found.face === NO_FACE) {
        missing.push(`U+${codePoint(found.part).toString(16).toUpperCase().padStart(4, '0')}`);
        continue;
      }
      if (missing.length > 0) yield { part: `[${missing.join(' ')}]`, face: order[0] ?? 0 };
      missing = [];
      yield found;
    }
    if (missing.length > 0) yield { part: `[${missing.join(' ')}]`, face: order[0] ?? 0 };
  }

  /** What is seen as one character is written by one face, or where none has all of it, each part by its own. */
  *#findFaces(written: string, order: readonly number[]): Generator<{ readonly part: string; readonly face: number }> {
    for (const { segment } of graphemes.segment(written)) {
      const face = this.#choose(segment, order);
      if (face !== NO_FACE) yield { part: segment, face };
      else for (const part of segment) yield { part, face: this.#choose(part, order) };
    }
  }

  /** A blank between words of one face belongs to them: readers lose one that stands alone. That of the emoji is as wide as they are. */
  #faceOfBlank(before: number, main: number): number {
    return before === EMOJI || !this.#face(before).covered.has(0x20) ? main : before;
  }

  #has(index: number, text: string): boolean {
    const { covered } = this.#face(index);
    return Array.from(text).every((character) => covered.has(codePoint(character)) || UNSEEN.test(character));
  }
}

function openFace(bytes: Uint8Array): Face {
  const hbFace = new hb.Face(new hb.Blob(bytes));
  const covered = new Set(hbFace.collectUnicodes());
  return { bytes, hbFace, font: new hb.Font(hbFace), covered, codes: new Map(), coded: [] };
}

function splitDevanagari(text: string, face: number): FaceRun[] {
  const runs: FaceRun[] = [];
  let start = 0;
  for (const part of text.split(/([\u0900-\u097f\ua8e0-\ua8ff]+)/)) {
    if (part !== '') runs.push({ start, end: start + part.length, face });
    start += part.length;
  }
  return runs;
}

/** Whatever is drawn must stand for a character, and where it has none readers make one up: a blank without width. */
const NOTHING = '\u200b';

interface Clusters {
  /** Of each glyph, from left to right. */
  readonly clusters: readonly number[];
  /** Of the run. */
  readonly end: number;
  readonly isRtl: boolean;
}

/** Which part of the text each glyph stands for: of a cluster of several glyphs one character each, the last one the rest. */
function textsOfGlyphs(text: string, { clusters, end, isRtl }: Clusters): string[] {
  const texts: string[] = new Array(clusters.length).fill('');
  const order = isRtl ? clusters.map((_, index) => clusters.length - 1 - index) : clusters.map((_, index) => index);
  for (let first = 0; first < order.length; ) {
    const cluster = clusters[order[first] ?? 0] ?? 0;
    let next = first;
    while (next < order.length && clusters[order[next] ?? 0] === cluster) next++;
    const until = next < order.length ? (clusters[order[next] ?? 0] ?? end) : end;
    const characters = Array.from(text.slice(cluster, until));
    for (let at = first; at < next; at++) {
      const own = at === next - 1 ? characters.slice(at - first).join('') : characters[at - first];
      texts[order[at] ?? 0] = own || NOTHING;
    }
    first = next;
  }
  return texts;
}

function writeFace(objects: PdfObjects, { bytes, hbFace, font, coded }: Face): number {
  const em = hbFace.upem;
  const thousandths = (units: number) => Math.round((units * 1000) / em);
  const glyphs = coded.map(({ glyph }) => glyph);
  const program = subsetFont(bytes, glyphs);
  const tag = createHash('sha256').update(program).digest('hex').slice(0, 6);
  // Six letters before the name say that it is a part of that font.
  const letters = Array.from(tag, (digit) => String.fromCharCode(65 + Number.parseInt(digit, 16))).join('');
  const name = `${letters}+${hbFace.getName(POSTSCRIPT_NAME, 'en').replaceAll(/[^\w-]/g, '')}`;
  const map = Buffer.alloc((glyphs.length + 1) * 2);
  for (const [index, glyph] of glyphs.entries()) map.writeUInt16BE(glyph, (index + 1) * 2);
  const widths = glyphs.map((glyph) => thousandths(font.glyphHAdvance(glyph))).join(' ');
  const { ascender, descender } = font.hExtents();
  const head = Buffer.from(hbFace.referenceTable('head') ?? []);
  const box = [36, 38, 40, 42].map((at) => thousandths(head.readInt16BE(at))).join(' ');
  const file = objects.putStream(` /Length1 ${program.length}`, program);
  const descriptor = objects.put(
    `<</Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${box}] /ItalicAngle 0 /Ascent ${thousandths(ascender)} /Descent ${thousandths(descender)} /CapHeight 714 /StemV 80 /FontFile2 ${file} 0 R>>`,
  );
  const toGlyphs = objects.putStream('', map);
  const descendant = objects.put(
    `<</Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap ${toGlyphs} 0 R /DW 1000 /W [1 [${widths}]]>>`,
  );
  const toUnicode = objects.putStream('', Buffer.from(toUnicodeMap(coded.map(({ text }) => text))));
  return objects.put(
    `<</Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R>>`,
  );
}

/** In the table of names of a font. */
const POSTSCRIPT_NAME = 6;
/** One block of a CMap takes no more. */
const CHARACTERS_PER_BLOCK = 100;

function toUnicodeMap(texts: readonly string[]): string {
  const lines = texts.map((text, index) => `<${hexCode(index + 1)}> <${utf16Hex(text)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += CHARACTERS_PER_BLOCK) {
    const block = lines.slice(at, at + CHARACTERS_PER_BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

/** A code as pages write it. */
export function hexCode(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
