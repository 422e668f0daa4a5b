import { crc32 } from 'node:zlib';

/** A cell as text, or its XML: attributes of `c`, and what it holds. */
export type WorkbookCell = string | { readonly attributes: string; readonly holds: string };

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A cell that is formatted as a date. */
export const dateCell = (serial: number): WorkbookCell => ({ attributes: 's="1"', holds: `<v>${serial}</v>` });

/** A workbook as no spreadsheet would write it: its lines, then any XML of rows; and what it says of itself. */
export function workbook(lines: readonly (readonly WorkbookCell[])[], moreRows = '', about = ''): Buffer {
  const rows = lines.map(
    (cells, at) => `<row r="${at + 1}">${cells.map((cell, column) => xmlOf(cell, at, column))}</row>`,
  );
  return archive({
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}">${about}<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${SHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}"><sheetData>${rows.join('')}${moreRows}</sheetData></worksheet>`,
  });
}

function xmlOf(cell: WorkbookCell, at: number, column: number): string {
  const place = `r="${String.fromCharCode(65 + column)}${at + 1}"`;
  if (typeof cell === 'string') return `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`;
  return `<c ${place} ${cell.attributes}>${cell.holds}</c>`;
}

/** A ZIP archive of entries that are not packed. */
function archive(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const header = [short(20, 0, 0, 0, 0), long(crc32(data), data.length, data.length), short(name.length, 0)];
    const local = Buffer.concat([long(0x04034b50), ...header, Buffer.from(name), data]);
    directory.push(long(0x02014b50), short(20), ...header, short(0, 0, 0), long(0, at), Buffer.from(name));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = [long(0x06054b50), short(0, 0, locals.length, locals.length), long(list.length, at), short(0)];
  return Buffer.concat([...locals, list, ...end]);
}

function short(...values: readonly number[]): Buffer {
  return Buffer.from(new Uint8Array(Uint16Array.from(values).buffer));
}

function long(...values: readonly number[]): Buffer {
  return Buffer.from(new Uint8Array(Uint32Array.from(values).buffer));
}
