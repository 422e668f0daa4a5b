import type { CountField, Counts } from '@wardline/contract/census/census.ts';
import { type RawBuilder, sql } from 'kysely';

/** These counts of a report `c` of a statement, under their names. */
export function countsJson(fields: readonly CountField[]): RawBuilder<Partial<Counts>> {
  return sql`json_build_object(${sql.join(fields.flatMap((field) => [sql.lit(field), sql.ref(`c.${field}`)]))})`;
}
