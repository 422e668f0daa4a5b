/** HL7 table 0357, as far as a message can meet it here. */
const ERRORS = {
  100: 'Segment sequence error',
  101: 'Required field missing',
  102: 'Data type error',
  103: 'Table value not found',
  200: 'Unsupported message type',
  201: 'Unsupported event code',
  202: 'Unsupported processing id',
  203: 'Unsupported version id',
  205: 'Duplicate key identifier',
  207: 'Application internal error',
} as const;
export type Hl7ErrorCode = keyof typeof ERRORS;

/** A code as the acknowledgement names it: `101^Required field missing^HL70357`. */
export function namedError(code: Hl7ErrorCode): string {
  return `${code}^${ERRORS[code]}^HL70357`;
}

/** Why a message cannot be taken, in words for the sender's log. */
export class Hl7Error extends Error {
  override readonly name = 'Hl7Error';
  readonly code: Hl7ErrorCode;
  /** Segment, its number and the field, as ERR-2 names them: `PV1^1^3`. */
  readonly place: string | null;

  constructor(code: Hl7ErrorCode, message: string, place: string | null = null) {
    super(message);
    this.code = code;
    this.place = place;
  }

  /** AR: nothing of this kind is taken, whatever is in it (MSH-9, MSH-11, MSH-12); AE: its content is wrong. */
  get answer(): 'AE' | 'AR' {
    return this.code >= 200 && this.code <= 203 ? 'AR' : 'AE';
  }
}

const LONGEST_QUOTE = 40;

/** What a message says, as a reason repeats it: the log keeps reasons for years, so not more of it than shows what is meant. */
export function quoted(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE).toWellFormed()}…`;
}
