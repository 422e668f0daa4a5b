import { parseCount } from '@wardline/census/balance.ts';
import { ApiError } from '@wardline/client/http/api-error.ts';

/** Something that is wrong before it is sent, said at its fields as the server would. */
export function refusal(fields: Readonly<Record<string, string>>): ApiError {
  const fieldErrors = Object.fromEntries(Object.entries(fields).map(([name, sentence]) => [name, [sentence]]));
  return new ApiError('Some fields are wrong.', { status: 422, code: 'unprocessable', fieldErrors });
}

interface NumberField {
  readonly text: string;
  readonly least: number;
  readonly most: number;
}

/** The whole numbers of some fields; where one holds none within its bounds, all that are wrong are refused. */
export function readNumbers<Name extends string>(fields: Readonly<Record<Name, NumberField>>): Record<Name, number> {
  const wrong: Record<string, string> = {};
  const read = (Object.entries(fields) as [Name, NumberField][]).map(([name, { text, least, most }]) => {
    const value = parseCount(text) ?? -1;
    if (value < least || value > most) wrong[name] = `A whole number from ${least} to ${most}.`;
    return [name, value];
  });
  if (Object.keys(wrong).length > 0) throw refusal(wrong);
  return Object.fromEntries(read) as Record<Name, number>;
}
