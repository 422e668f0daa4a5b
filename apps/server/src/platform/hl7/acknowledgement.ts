import { randomBytes } from 'node:crypto';
import { type Hl7ErrorCode, namedError } from './hl7-error.ts';

/** What is answered to a message. */
export interface Answered {
  /** AA: taken, also when it came before. AE and AR: kept as one that could not be, for what is in it or for what it is. */
  readonly code: 'AA' | 'AE' | 'AR';
  readonly controlId: string | null;
  /** Null where it was taken. */
  readonly error: { readonly code: Hl7ErrorCode; readonly place: string | null; readonly reason: string } | null;
}

/** The acknowledgement (MSH, MSA, and ERR where it was not taken), in original mode. */
export function acknowledgement({ code, controlId, error }: Answered, now: Date): string {
  const time = `${now.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`;
  const id = randomBytes(8).toString('hex').toUpperCase();
  const segments = [
    `MSH|^~\\&|WARDLINE|CENSUS|||${time}||ACK|${id}|P|2.5.1`,
    `MSA|${code}|${escaped(controlId ?? '')}`,
    ...(error === null ? [] : [`ERR||${error.place ?? ''}|${namedError(error.code)}|E||||${escaped(error.reason)}`]),
  ];
  return `${segments.join('\r')}\r`;
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\E\\')
    .replaceAll('|', '\\F\\')
    .replaceAll('^', '\\S\\')
    .replaceAll('&', '\\T\\')
    .replaceAll('~', '\\R\\')
    .replaceAll(/\p{Cc}/gu, ' ');
}
