/** What may stand in a cell of a file. */
export type Cell = string | number | Decimal | null;

/** A number as exact text: its places stay, and no minus before it is taken for a formula. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError(`This is not a decimal: ${text}`);
    this.text = text;
  }
}

/** How a spreadsheet begins a formula; apostrophes before that are put there, or stood there. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** A text that no spreadsheet takes for a formula: one that begins like one gets an apostrophe more before it. */
export function asPlainCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Takes that apostrophe off again. */
export function fromPlainCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/** One line of CSV (RFC 4180), with its CRLF. Texts cannot become formulas; null is an empty cell. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Decimal) return cell.text;
  const text = asPlainCell(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
