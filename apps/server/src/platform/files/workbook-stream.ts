import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { asPlainCell, type Cell, Decimal } from './csv.ts';

interface Workbook {
  readonly sheet: string;
  readonly head: readonly string[];
  /** A few lines at a time. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>;
}

/** 1 January 1980, the first day that an archive knows: files of the same lines have the same bytes. */
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** An XLSX file of one sheet, written as its lines are read: it needs no more room than a page of them. */
export async function* workbookOf({ sheet, head, pages }: Workbook): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const lines = Readable.from(sheetXml(head, pages));
  const file = Readable.from(archive.outputStream);
  lines.on('error', (error) => file.destroy(error));
  const parts: readonly [name: string, text: string][] = [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(sheet)],
    ['xl/_rels/workbook.xml.rels', relations(SHEET_RELATIONS)],
    ['xl/styles.xml', STYLES],
  ];
  for (const [name, text] of parts) archive.addBuffer(Buffer.from(text), name, ENTRY);
  archive.addReadStream(lines, 'xl/worksheets/sheet1.xml', ENTRY);
  archive.end();
  try {
    yield* file;
  } finally {
    // Whoever wanted the file has gone: nothing more is read.
    lines.destroy();
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

/** Style 1 is the head's, style 2 a figure of two decimals. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>`;

const SHEET_RELATIONS = [
  ['worksheet', 'worksheets/sheet1.xml'],
  ['styles', 'styles.xml'],
] as const;

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const rows = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
}

function workbookXml(sheet: string): string {
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

async function* sheetXml(head: Workbook['head'], pages: Workbook['pages']): AsyncGenerator<string> {
  const letters = head.map((_, index) => columnLetters(index));
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  yield rowXml(
    1,
    head.map((text, index) => textXml(`${letters[index]}1`, text, ' s="1"')),
  );
  let row = 1;
  for await (const page of pages) {
    let text = '';
    for (const line of page) {
      row += 1;
      text += rowXml(
        row,
        line.map((cell, index) => cellXml(`${letters[index]}${row}`, cell)),
      );
    }
    yield text;
  }
  yield '</sheetData></worksheet>';
}

const rowXml = (row: number, cells: readonly string[]) => `<row r="${row}">${cells.join('')}</row>`;

function cellXml(place: string, cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Decimal) return `<c r="${place}" s="2"><v>${cell.text}</v></c>`;
  return typeof cell === 'number' ? `<c r="${place}"><v>${cell}</v></c>` : textXml(place, asPlainCell(cell));
}

/** Everything but a number is text, dates too, so that no spreadsheet turns them. */
function textXml(place: string, text: string, style = ''): string {
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return text
    .replaceAll(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** `A` for 0, `AB` for 27. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${columnLetters(Math.floor(index / 26) - 1)}${last}`;
}
