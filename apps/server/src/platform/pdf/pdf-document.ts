import { createHash } from 'node:crypto';
import { FontFaces, type Glyph, hexCode } from './font-faces.ts';
import type { JpegPicture } from './jpeg-picture.ts';
import { type Laid, type Line, layParagraph, type Piece, type Span } from './paragraph.ts';
import { documentMetadata, type PdfInformation } from './pdf-metadata.ts';
import { PdfObjects, pdfNumber, pdfText } from './pdf-objects.ts';
import { PdfTags, type Tag } from './pdf-tags.ts';
import { screenProfile } from './screen-profile.ts';

/** A4 in points (1/72 inch), and its margins. */
const PAGE = { width: 595.28, height: 841.89, left: 51, right: 51, top: 76, bottom: 60 } as const;
export const TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
const FULL_HEIGHT = PAGE.height - PAGE.top - PAGE.bottom;
const HEADER_BASELINE = PAGE.height - 42;
const FOOTER_BASELINE = 34;
const MUTED_GRAY = 0.36;
const LINE_GRAY = 0.72;

/** How a paragraph looks; lengths in points. */
export interface TextStyle {
  readonly size: number;
  readonly leading: number;
  /** From the left margin, and how wide; as wide as there is room unless said. */
  readonly left?: number;
  readonly width?: number;
  readonly before?: number;
  /** So much room must be under it on its page: a heading stands with what it is of. */
  readonly keep?: number;
  /** Stands in the margin before the first line. */
  readonly beside?: Span;
}

export interface TableColumn {
  readonly title: string;
  /** In points. */
  readonly width: number;
}

/** What stands on top and at the foot of every page from the next one on. */
export interface Running {
  readonly header: { readonly left: readonly Span[]; readonly right: readonly Span[] };
  readonly footer: (page: number) => { readonly left: readonly Span[]; readonly right: readonly Span[] };
}

interface PicturePlace {
  readonly alternative: string;
  /** From the left margin, in points. */
  readonly left: number;
  /** The longer side is at most so long, in points. */
  readonly most: number;
}

/** A picture with few pixels is not drawn larger than a screen shows it. */
const POINTS_PER_PIXEL = 0.75;

interface Page {
  readonly id: number;
  readonly contents: string[];
  /** By number of the marked content: the tag that it belongs to. */
  readonly owners: number[];
  /** The objects of its pictures. */
  readonly pictures: number[];
}

/** A mark that is drawn on pages before it is known what it says. */
export interface Later {
  readonly id: number;
  readonly name: string;
}

const PAGES_PER_NODE = 64;
const CONTENT_HEAD = '0.5 w\n';
const SMALL = 7.5;

/**
 * A tagged PDF/A-2b in A4 that is written as it is made: pages leave as soon as they are full, of each a few bytes are kept. Text is black and gray, in
 * the faces of `FontFaces`.
 */
export class PdfDocument {
  readonly #objects = new PdfObjects();
  readonly #fonts = new FontFaces();
  readonly #tags: PdfTags;
  readonly #information: PdfInformation;
  readonly #ids = { fonts: 0, pages: 0 };
  readonly #nodes: { readonly id: number; readonly pages: number[] }[] = [];
  #running: Running | null = null;
  #later: Later | null = null;
  #page: Page | null = null;
  #pageCount = 0;
  #pageInRunning = 0;
  /** Where the next line goes: the distance from the foot of the paper, in points. */
  #y = 0;

  constructor(information: PdfInformation) {
    this.#information = information;
    this.#tags = new PdfTags(this.#objects);
    for (const name of ['fonts', 'pages'] as const) this.#ids[name] = this.#objects.reserve();
  }

  /** What was written since it was last taken. */
  take(): Buffer {
    return this.#objects.take();
  }

  /** Begins a new page with the next thing that is written; pages count from 1 again. `later` is drawn where the left part of the footer ends. */
  startPages(running: Running, later: Later | null = null): void {
    this.#finishPage();
    this.#running = running;
    this.#pageInRunning = 0;
    this.#later = later;
  }

  get pageInRunning(): number {
    return this.#pageInRunning;
  }

  /** For a text that is known when the pages that show it were written: how many there are. */
  reserveLater(): Later {
    return { id: this.#objects.reserve(), name: 'Later' };
  }

  writeLater({ id }: Later, text: string): void {
    const laid = layParagraph(this.#fonts, [{ text, isMuted: true }], Number.POSITIVE_INFINITY);
    const content = drawLine(laid.lines[0], { x: 0, y: 0, size: SMALL });
    const entries = ` /Type /XObject /Subtype /Form /BBox [0 -4 200 12] /Resources ${this.#resources()}`;
    this.#objects.putStream(entries, Buffer.from(CONTENT_HEAD + content), { id });
  }

  /** Opens a part of the document's structure; `close` ends it. */
  open(tag: Tag): void {
    this.#tags.open(tag);
  }

  close(): void {
    this.#tags.close();
  }

  /** Where somebody jumps to from the list beside the pages; `depth` 0 or 1. */
  addBookmark(title: string, depth: 0 | 1): void {
    this.#need(FULL_HEIGHT / 6);
    this.#tags.addBookmark({ title, depth, page: this.#openPage().id, top: this.#y + 14 });
  }

  /** Writes a paragraph (or heading, or label) of one or more lines; line ends in it are kept. */
  write(tag: Tag, spans: readonly Span[], style: TextStyle): void {
    const { size, leading, left = 0, width = TEXT_WIDTH - left, before = 0, keep = 0 } = style;
    const laid = layParagraph(this.#fonts, spans, width / size);
    this.#openPage();
    if (this.#y < PAGE.height - PAGE.top) this.#y -= before;
    this.#need(Math.min(laid.lines.length, 2) * leading + keep);
    this.#tags.open(tag);
    let marked: Page | null = null;
    for (const line of laid.lines) {
      this.#need(leading);
      const page = this.#openPage();
      if (marked !== page) {
        this.#endMark(marked);
        this.#mark(page, tag);
        if (marked === null && style.beside)
          this.#drawAt(page, [style.beside], { x: PAGE.left, y: this.#y - size, size });
        marked = page;
      }
      page.contents.push(drawLine(line, placeLine({ laid, line, left, width, size }, this.#y - size)));
      this.#y -= leading;
    }
    this.#endMark(marked);
    this.#tags.close();
  }

  /** A picture at most so large, in points, and what it is for whoever does not see it. */
  writePicture({ jpeg, width, height, colors }: JpegPicture, { alternative, left, most }: PicturePlace): void {
    const scale = Math.min(most / width, most / height, POINTS_PER_PIXEL);
    const [across, down] = [width * scale, height * scale];
    this.#need(down + GUTTER);
    const page = this.#openPage();
    const space = colors === 1 ? 'DeviceGray' : 'DeviceRGB';
    const kind = ` /Type /XObject /Subtype /Image /ColorSpace /${space} /BitsPerComponent 8 /Filter /DCTDecode`;
    const size = ` /Width ${width} /Height ${height}`;
    const id = this.#objects.putStream(kind + size, Buffer.from(jpeg), { isPacked: false });
    page.pictures.push(id);
    this.#y -= down + GUTTER / 2;
    const tag: Tag = { name: 'Figure', alternative };
    this.#tags.open(tag);
    this.#mark(page, tag);
    const place = [across, 0, 0, down, PAGE.left + left, this.#y].map(pdfNumber).join(' ');
    page.contents.push(`q ${place} cm /P${id} Do Q\n`);
    this.#endMark(page);
    this.#tags.close();
    this.#y -= GUTTER / 2;
  }

  /** A thin line over the width of the text. */
  rule(before = 0, after = 0): void {
    this.#need(before + after);
    this.#y -= before;
    this.#openPage().contents.push(`/Artifact BMC\n${drawRule(this.#y)}EMC\n`);
    this.#y -= after;
  }

  skip(height: number): void {
    if (this.#page) this.#y -= height;
  }

  /** Two columns without a head: what it is, and what is said of it. */
  writeDetails(details: readonly (readonly [string, string])[]): void {
    this.#tags.open({ name: 'Table' });
    for (const [label, said] of details) {
      const cells = [
        { tag: ROW_HEAD, spans: [{ text: label, isMuted: true }], left: 0, width: 96 },
        { tag: CELL, spans: [{ text: said }], left: 104, width: TEXT_WIDTH - 104 },
      ];
      this.#writeRow(cells, { size: 9.5, leading: 14 });
    }
    this.#tags.close();
  }

  /** A table with a head, which stands on each of its pages again. */
  writeTable(columns: readonly TableColumn[], rows: Iterable<readonly string[]>): void {
    const style = { size: 8.5, leading: 12 };
    const head = (tag: Tag) => toCells(columns, { tag, texts: columns.map(({ title }) => title), isMuted: true });
    this.#tags.open({ name: 'Table' });
    this.#writeRow(head(COLUMN_HEAD), { ...style, keep: 24 });
    this.rule(3, 2);
    let page = this.#page;
    for (const texts of rows) {
      const cells = toCells(columns, { tag: CELL, texts, isMuted: false });
      this.#need(style.leading * 2);
      if (this.#openPage() !== page) {
        page = this.#page;
        this.#drawArtifact(head(COLUMN_HEAD), style);
      }
      this.#writeRow(cells, style);
    }
    this.#tags.close();
  }

  /** Writes everything that had to wait; nothing may come after it. */
  end(): void {
    this.#finishPage();
    const objects = this.#objects;
    this.#writePageTree();
    objects.put(this.#fonts.write(objects), this.#ids.fonts);
    const { structure, outlines } = this.#tags.end();
    const { language, title } = this.#information;
    const { info, metadata } = documentMetadata(objects, this.#information);
    const profile = objects.putStream(' /N 3', screenProfile());
    const intent = `[<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB primaries, gamma 2.2) /DestOutputProfile ${profile} 0 R>>]`;
    const root = objects.put(
      `<</Type /Catalog /Pages ${this.#ids.pages} 0 R /StructTreeRoot ${structure} 0 R /Outlines ${outlines} 0 R /Metadata ${metadata} 0 R /OutputIntents ${intent} /MarkInfo <</Marked true>> /Lang ${pdfText(language)} /ViewerPreferences <</DisplayDocTitle true>> /PageMode /UseOutlines>>`,
    );
    const id = createHash('sha256').update(`${title}\n${this.#information.key}`).digest('hex').slice(0, 32);
    objects.end({ root, info, id });
  }

  #writePageTree(): void {
    const kids = this.#nodes.map(({ id }) => `${id} 0 R`).join(' ');
    for (const { id, pages } of this.#nodes) {
      const list = pages.map((page) => `${page} 0 R`).join(' ');
      this.#objects.put(`<</Type /Pages /Parent ${this.#ids.pages} 0 R /Count ${pages.length} /Kids [${list}]>>`, id);
    }
    this.#objects.put(`<</Type /Pages /Count ${this.#pageCount} /Kids [${kids}]>>`, this.#ids.pages);
  }

  /** Goes on to the next page where this one has no room. */
  #need(height: number): void {
    if (this.#page && this.#y - Math.min(height, FULL_HEIGHT) < PAGE.bottom) this.#finishPage();
    this.#openPage();
  }

  #openPage(): Page {
    if (this.#page) return this.#page;
    this.#page = { id: this.#objects.reserve(), contents: [CONTENT_HEAD], owners: [], pictures: [] };
    this.#pageCount += 1;
    this.#pageInRunning += 1;
    this.#y = PAGE.height - PAGE.top;
    this.#drawRunning(this.#page);
    return this.#page;
  }

  #finishPage(): void {
    const page = this.#page;
    if (!page) return;
    this.#page = null;
    const contents = this.#objects.putStream('', Buffer.from(page.contents.join(''), 'latin1'));
    const place = this.#tags.addPage(page.owners);
    let node = this.#nodes.at(-1);
    if (!node || node.pages.length === PAGES_PER_NODE) {
      node = { id: this.#objects.reserve(), pages: [] };
      this.#nodes.push(node);
    }
    node.pages.push(page.id);
    const size = `/MediaBox [0 0 ${PAGE.width} ${PAGE.height}]`;
    this.#objects.put(
      `<</Type /Page /Parent ${node.id} 0 R ${size} /Resources ${this.#resources(this.#later, page.pictures)} /Contents ${contents} 0 R /StructParents ${place} /Tabs /S>>`,
      page.id,
    );
  }

  #resources(later: Later | null = null, pictures: readonly number[] = []): string {
    const drawn = [...(later ? [`/${later.name} ${later.id} 0 R`] : []), ...pictures.map((id) => `/P${id} ${id} 0 R`)];
    const objects = drawn.length === 0 ? '' : ` /XObject <<${drawn.join(' ')}>>`;
    return `<</Font ${this.#ids.fonts} 0 R${objects}>>`;
  }

  #drawRunning({ contents }: Page): void {
    if (!this.#running) return;
    const { header, footer } = this.#running;
    const foot = footer(this.#pageInRunning);
    contents.push('/Artifact <</Type /Pagination>> BDC\n');
    const half = TEXT_WIDTH / 2 - GUTTER;
    const drawHalf = (spans: readonly Span[], y: number, isRight: boolean): number => {
      const line = layParagraph(this.#fonts, spans, half / SMALL).lines[0];
      const width = (line?.width ?? 0) * SMALL;
      const x = isRight ? PAGE.width - PAGE.right - width : PAGE.left;
      contents.push(drawLine(line, { x, y, size: SMALL }));
      return x + width;
    };
    drawHalf(header.left, HEADER_BASELINE, false);
    drawHalf(header.right, HEADER_BASELINE, true);
    contents.push(drawRule(HEADER_BASELINE - 8), drawRule(FOOTER_BASELINE + 12));
    const end = drawHalf(foot.left, FOOTER_BASELINE, false);
    if (this.#later) contents.push(`q 1 0 0 1 ${pdfNumber(end)} ${FOOTER_BASELINE} cm /${this.#later.name} Do Q\n`);
    drawHalf(foot.right, FOOTER_BASELINE, true);
    contents.push('EMC\n');
  }

  #drawAt({ contents }: Page, spans: readonly Span[], place: LinePlace): void {
    contents.push(drawLine(layParagraph(this.#fonts, spans, Number.POSITIVE_INFINITY).lines[0], place));
  }

  #mark(page: Page, { name }: Tag): void {
    page.contents.push(`/${name} <</MCID ${page.owners.length}>> BDC\n`);
    this.#tags.addContent(page.id, page.owners.length);
    page.owners.push(this.#tags.current);
  }

  #endMark(page: Page | null): void {
    page?.contents.push('EMC\n');
  }

  #writeRow(cells: readonly Cell[], { size, leading, keep = 0 }: TextStyle): void {
    const laid = cells.map((cell) => ({ cell, laid: layParagraph(this.#fonts, cell.spans, cell.width / size) }));
    const height = Math.max(...laid.map((one) => one.laid.lines.length)) * leading;
    this.#need(height + keep);
    const page = this.#openPage();
    this.#tags.open({ name: 'TR' });
    for (const { cell, laid: text } of laid) {
      this.#tags.open(cell.tag);
      this.#mark(page, cell.tag);
      this.#drawCell(page, { cell, laid: text, size, leading });
      this.#endMark(page);
      this.#tags.close();
    }
    this.#tags.close();
    this.#y -= height;
  }

  #drawCell(page: Page, { cell, laid, size, leading }: DrawnCell): void {
    for (const [index, line] of laid.lines.entries()) {
      // A name in Arabic stands where its column does.
      page.contents.push(drawLine(line, { x: PAGE.left + cell.left, y: this.#y - leading * index - size, size }));
    }
  }

  /** What a reader was told already. */
  #drawArtifact(cells: readonly Cell[], { size, leading }: TextStyle): void {
    const page = this.#openPage();
    page.contents.push('/Artifact <</Type /Pagination>> BDC\n');
    for (const cell of cells) {
      this.#drawCell(page, { cell, laid: layParagraph(this.#fonts, cell.spans, cell.width / size), size, leading });
    }
    page.contents.push('EMC\n');
    this.#y -= leading;
    this.rule(3, 2);
  }
}

interface Cell {
  readonly tag: Tag;
  readonly spans: readonly Span[];
  readonly left: number;
  readonly width: number;
}

interface DrawnCell {
  readonly cell: Cell;
  readonly laid: Laid;
  readonly size: number;
  readonly leading: number;
}

const CELL: Tag = { name: 'TD' };
const COLUMN_HEAD: Tag = { name: 'TH', attributes: '<</O /Table /Scope /Column>>' };
const ROW_HEAD: Tag = { name: 'TH', attributes: '<</O /Table /Scope /Row>>' };
const GUTTER = 8;

function toCells(
  columns: readonly TableColumn[],
  { tag, texts, isMuted }: { readonly tag: Tag; readonly texts: readonly string[]; readonly isMuted: boolean },
): Cell[] {
  let left = 0;
  return columns.map(({ width }, index) => {
    const cell = { tag, spans: [{ text: texts[index] ?? '', isMuted }], left, width: width - GUTTER };
    left += width;
    return cell;
  });
}

interface Placed {
  readonly laid: Laid;
  readonly line: Line;
  readonly left: number;
  readonly width: number;
  readonly size: number;
}

function placeLine({ laid, line, left, width, size }: Placed, y: number): LinePlace {
  const room = laid.isRtl ? width - line.width * size : 0;
  return { x: PAGE.left + left + room, y, size };
}

interface LinePlace {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

function drawRule(y: number): string {
  return `${LINE_GRAY} G ${PAGE.left} ${pdfNumber(y)} m ${pdfNumber(PAGE.width - PAGE.right)} ${pdfNumber(y)} l S 0 G\n`;
}

/** The operators that draw a line of text from a point on. */
function drawLine(line: Line | undefined, { x, y, size }: LinePlace): string {
  if (!line || line.pieces.length === 0) return '';
  let content = `BT 1 0 0 1 ${pdfNumber(x)} ${pdfNumber(y)} Tm\n`;
  let apart = '';
  let isMuted = false;
  let at = x;
  for (const piece of line.pieces) {
    if (piece.isMuted !== isMuted) {
      isMuted = piece.isMuted;
      content += `${isMuted ? MUTED_GRAY : 0} g `;
    }
    content += `/F${piece.face} ${size} Tf ${drawGlyphs(piece.glyphs, size)}\n`;
    for (const glyph of piece.glyphs) {
      if (glyph.isApart) apart += drawApart(piece, { glyph, x: at, y, size });
      at += glyph.advance * size;
    }
  }
  return `${content}${apart}${isMuted || apart !== '' ? '0 g ' : ''}ET\n`;
}

interface GlyphPlace extends LinePlace {
  readonly glyph: Glyph;
}

/** A dot or stroke that stands for no character comes after its line: between letters it would part the words that somebody copies. */
function drawApart({ face, isMuted }: Piece, { glyph, x, y, size }: GlyphPlace): string {
  const place = `1 0 0 1 ${pdfNumber(x + glyph.dx * size)} ${pdfNumber(y + glyph.dy * size)} Tm`;
  return `${isMuted ? MUTED_GRAY : 0} g /F${face} ${size} Tf ${place} <${hexCode(glyph.code)}> Tj\n`;
}

function drawGlyphs(glyphs: readonly Glyph[], size: number): string {
  let content = '';
  let shown = '';
  let codes = '';
  let rise = 0;
  const endCodes = () => {
    if (codes !== '') shown += `<${codes}>`;
    codes = '';
  };
  const endShown = () => {
    endCodes();
    if (shown !== '') content += `[${shown}] TJ `;
    shown = '';
  };
  const move = (distance: number) => {
    const units = Math.round(-distance * 1000);
    if (units === 0) return;
    endCodes();
    shown += ` ${units} `;
  };
  for (const { code, advance, width, dx, dy, isApart } of glyphs) {
    if (isApart) {
      move(advance);
      continue;
    }
    if (dy !== rise) {
      endShown();
      rise = dy;
      content += `${pdfNumber(rise * size)} Ts `;
    }
    move(dx);
    codes += hexCode(code);
    move(advance - width - dx);
  }
  endShown();
  return rise === 0 ? content : `${content}0 Ts `;
}
