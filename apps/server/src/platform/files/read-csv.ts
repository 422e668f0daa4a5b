import { CsvError, type Options, parse } from 'csv-parse/sync';
import { invalidField } from '#/platform/http/app-error.ts';

/**
 * The lines of a CSV file, at most so many: UTF-8 with or without byte order mark; comma, semicolon or tab. Throws 422 at `file`
 * for what is none.
 */
export function readCsv(file: Buffer, mostLines: number): string[][] {
  const text = decode(file);
  const [head = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].find((mark) => head.includes(mark)) ?? ',';
  const options = { delimiter, relax_column_count: true, skip_empty_lines: false };
  try {
    return parse(text, { ...options, to: mostLines }) as string[][];
  } catch (error) {
    throw invalidFile(`The file is not well-formed CSV${placeOf(error, () => firstOpenLine(text, options))}.`, error);
  }
}

function placeOf(error: unknown, openLine: () => number): string {
  if (!(error instanceof CsvError)) return '';
  // Where it should have been closed nobody can say, but not before the line in which its own begins.
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `: a quote from line ${openLine()} on is never closed`;
  return typeof error['lines'] === 'number' ? `: see the quotes in line ${error['lines']}` : '';
}

/** The line after the last one that is whole. */
function firstOpenLine(text: string, options: Options): number {
  let whole = 0;
  try {
    parse(text, {
      ...options,
      onRecord(record, { lines }) {
        whole = lines;
        return record;
      },
    });
  } catch {
    // The quote that is never closed, once more.
  }
  return whole + 1;
}

function decode(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch (error) {
    throw invalidFile('The file is not text in UTF-8. Save it as “CSV UTF-8”.', error);
  }
}

/** Refuses a file (422 at `file`) and keeps what is behind it. */
export function invalidFile(message: string, cause: unknown) {
  const error = invalidField('file', message);
  error.cause = cause;
  return error;
}
