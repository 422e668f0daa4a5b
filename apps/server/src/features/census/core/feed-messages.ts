import { sql } from 'kysely';

/** In the place of MSH-10, of an event that a file of who is in brought. */
export function stayControlId({ at, unitNo }: { readonly at: Date; readonly unitNo: number }): string {
  return `stay ${at.toISOString()} ${unitNo}`;
}

/** Of `adt_events`: what the patient system sent, not what such a file brought. */
export const isMessage = sql<boolean>`control_id !~ '^stay \\d{4}-'`;
