import { parseCount } from '@wardline/census/balance.ts';
import { refusal } from '#/shared/errors/refusal.ts';

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
