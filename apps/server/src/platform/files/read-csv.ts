import { CsvError, parse } from 'csv-parse/sync';
import { invalidField } from '#/platform/http/app-error.ts';

/**
 * The lines of a CSV file, at most so many: UTF-8 with or without byte order mark; comma, semicolon or tab. Throws 422 at `file`
 * for what is none.
 */
export function readCsv(file: Buffer, mostLines: number): string[][] {
  const text = decode(file);
  const [head = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].find((mark) => head.includes(mark)) ?? ',';
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: false, to: mostLines }) as string[][];
  } catch (error) {
    throw invalidFile(`The file is not well-formed CSV${placeOf(error)}.`, error);
  }
}

/** Of a quote that is never closed nobody can say where it should have been. */
function placeOf(error: unknown): string {
  const isKnown = error instanceof CsvError && error.code !== 'CSV_QUOTE_NOT_CLOSED';
  return isKnown && typeof error['lines'] === 'number' ? `: see the quotes in line ${error['lines']}` : '';
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
