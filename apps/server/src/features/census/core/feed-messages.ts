import { sql } from 'kysely';

/** Of `adt_events`: what the patient system sent, not what a file of who is in brought. */
export const isMessage = sql<boolean>`control_id !~ '^stay \\d{4}-'`;
