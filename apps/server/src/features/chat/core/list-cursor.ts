import { wrongCursor } from '#/platform/http/cursor.ts';

/** A place in the list of chats: the instant of the last activity, in microseconds, and the id. */
export interface ListPlace {
  readonly micros: number;
  readonly id: string;
}

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const LIST_PLACE = new RegExp(`^(\\d{1,16}) (${ID})$`);
const VERSION_PLACE = /^v(\d{1,9})$/;
const USER_PLACE = new RegExp(`^(${ID})$`);

export function encodeListCursor({ micros, id }: ListPlace): string {
  return encode(`${micros} ${id}`);
}

export function decodeListCursor(cursor: string): ListPlace {
  const [, micros, id] = decode(cursor, LIST_PLACE);
  return { micros: Number(micros), id: id ?? '' };
}

/** The participants' cursor is the last person's id: a name would not always fit and is nobody's business in an address. */
export function encodeUserCursor(userId: string): string {
  return encode(userId);
}

export function decodeUserCursor(cursor: string): string {
  return decode(cursor, USER_PLACE)[1] ?? '';
}

/** The versions' cursor is the last version's number. */
export function encodeVersionCursor(version: number): string {
  return encode(`v${version}`);
}

export function decodeVersionCursor(cursor: string): number {
  return Number(decode(cursor, VERSION_PLACE)[1]);
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string, shape: RegExp): RegExpExecArray {
  const found = shape.exec(Buffer.from(cursor, 'base64url').toString());
  if (found === null) throw wrongCursor();
  return found;
}
