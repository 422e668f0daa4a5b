import * as z from 'zod/mini';

/** An id: a UUID in lower case. Ids are made as UUIDv7, so that they sort by time. */
export const Id = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'This is not an id.'));

/** An instant, ISO 8601 with offset, of the years 1 to 9999 in UTC: PostgreSQL and our own answers know no others. */
export const Instant = z.iso.datetime({ offset: true }).check(
  z.refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, 'This time is out of range.'),
);

/** A calendar day, `YYYY-MM-DD`, in no zone; of the year 1 at the earliest. */
export const Day = z.iso.date().check(z.refine((text) => text >= '0001', 'This day is out of range.'));

/** A place in a chat: 0 is before the first message, 1 is the first. */
export const Seq = z.int().check(z.nonnegative());

/** The same in a query string. */
export const SeqQuery = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'This is not a whole number.'))]),
  z.transform(Number),
);

/** How many rows a page may have. */
export const LimitQuery = z.pipe(SeqQuery, z.int().check(z.gte(1, 'At least 1.'), z.lte(200, 'At most 200.')));

/** An opaque place in a paged list, as the answer before gave it. */
export const Cursor = z
  .string()
  .check(z.minLength(1), z.maxLength(512), z.regex(/^[A-Za-z0-9_-]+$/, 'This is not a cursor.'));

/** True where a text can be stored and shown: no NUL (PostgreSQL has no place for it), no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** Text of one line or more, between `min` and `max` characters after trimming its ends. */
export function Text(min: number, max: number) {
  return z
    .string()
    .check(
      z.refine(isStorableText, 'This text has characters that cannot be stored.'),
      z.trim(),
      z.minLength(min, min === 1 ? 'This field is required.' : `At least ${min} characters.`),
      z.maxLength(max, `At most ${max} characters.`),
    );
}

/** Nothing: no query, no body, no params. */
export const Nothing = z.strictObject({});

/** An answer without a body. */
export const NoContent = z.custom<undefined>((body) => body === undefined);

/** One page of a list; `next_cursor` is null on the last. */
export function Page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ data: z.array(item), next_cursor: z.nullable(Cursor) });
}

// What <input type="email"> takes (HTML standard, 4.10.5.1.5), so that page, server and mailer agree.
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** An email address, trimmed and in lower case. */
export const Email = z
  .string('This field is required.')
  .check(
    z.refine(isStorableText, 'This text has characters that cannot be stored.'),
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'This field is required.'),
    z.maxLength(254, 'At most 254 characters.'),
    z.regex(ADDRESS, 'This is not an email address.'),
  );

/** A password as somebody says it to prove who they are. */
export const GivenPassword = z
  .string('This field is required.')
  .check(
    z.refine(isStorableText, 'This text has characters that cannot be stored.'),
    z.minLength(1, 'This field is required.'),
    z.maxLength(128, 'At most 128 characters.'),
  );

export const SHORTEST_PASSWORD = 15;

/** With a second factor beside it (ACC-2). */
export const SHORTEST_SECOND_PASSWORD = 8;

/** A password of an account that may have a second factor; without one the server asks for {@link SHORTEST_PASSWORD}. */
export const OwnNewPassword = newPassword(SHORTEST_SECOND_PASSWORD);

/** A password that is being set: long, of any characters, without rules of composition (NIST SP 800-63B-4). */
export const NewPassword = newPassword(SHORTEST_PASSWORD);

function newPassword(shortest: number) {
  return z
    .string('This field is required.')
    .check(
      z.refine(isStorableText, 'This text has characters that cannot be stored.'),
      z.minLength(shortest, `At least ${shortest} characters.`),
      z.maxLength(128, 'At most 128 characters.'),
    );
}

/** A sentence for the person, as Laravel answers where there is nothing else to say. */
export const Status = z.object({ status: z.string() });

/** The version that a change is based on. */
export const Version = z.int().check(z.gte(0));

/**
 * An object of any keys with values of one kind, `__proto__` left out. What z.record would be for keys that are any
 * string, at 0.5 kB less before the first page (PERF-4).
 */
export function keyed<Value extends z.core.$ZodType>(value: Value) {
  return z.catchall(z.object({}), value);
}
