import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { EscalationPeople, Escalations } from '#/platform/db/types.ts';
import {
  type CalledPerson,
  type Entry,
  type Escalation,
  type LadderStep,
  type Pace,
  type Transition,
  waitsFor,
} from './escalation.ts';

/** What is escalated: a message, by its id. */
export interface Subject {
  readonly kind: 'message';
  readonly id: string;
}

/** What was decided when it began, and holds to its end. Beside the steps it is the feature's. */
export interface EscalationPlan {
  readonly steps: readonly LadderStep[];
  readonly pace?: Pace | undefined;
}

export interface StoredEscalation<Plan extends EscalationPlan = EscalationPlan> {
  readonly id: string;
  readonly facilityId: string;
  readonly subject: Subject;
  readonly plan: Plan;
  readonly escalation: Escalation;
}

/** The clock of the database, in whole milliseconds: one for all servers. */
export async function readClock(tx: DatabaseTransaction): Promise<Date> {
  const { now } = await tx
    .selectNoFrom(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

type StoredRow = Omit<Selectable<Escalations>, 'state' | 'plan' | 'subject'> & {
  readonly state: Escalation['state'];
  readonly plan: EscalationPlan;
  readonly subject: Subject['kind'];
};
const stored = typedRows<StoredRow>({
  id: 'string',
  facility_id: 'string',
  subject: 'string',
  subject_id: 'string',
  started_by: 'string',
  started_at: 'date',
  plan: 'json',
  state: 'string',
  version: 'number',
  step: 'number',
  reminders: 'number',
  due_at: 'date?',
});

/**
 * Takes the one that has waited longest for the clock, until the commit; passes over those that another server or somebody's
 * act holds, and those of a deactivated facility, which rest.
 */
export function claimDue(tx: DatabaseTransaction, now: Date): Promise<StoredEscalation | null> {
  return lock(
    tx,
    sql`due_at <= ${now} and not exists (
      select from facilities f where f.id = escalations.facility_id and f.deactivated_at is not null) order by due_at limit 1 for update skip locked`,
  );
}

/**
 * Holds the escalation of something until the commit; null where it has none. Taken before memberships and the lock of what it
 * is about, as the clock does.
 */
export function lockEscalation(tx: DatabaseTransaction, subject: Subject): Promise<StoredEscalation | null> {
  return lock(tx, sql`subject = ${subject.kind} and subject_id = ${subject.id} for update`);
}

async function lock(tx: DatabaseTransaction, which: RawBuilder<unknown>): Promise<StoredEscalation | null> {
  const row = await stored.first(tx, sql`select * from escalations where ${which}`);
  if (!row) return null;
  const { id, facility_id: facilityId, plan, state, version, step, reminders } = row;
  return {
    ...{ id, facilityId, plan },
    subject: { kind: row.subject, id: row.subject_id },
    escalation: {
      ...{ state, version, step, reminders },
      startedBy: row.started_by,
      startedAt: row.started_at,
      dueAt: row.due_at,
      steps: plan.steps,
      pace: plan.pace,
      people: await loadPeople(tx, id),
    },
  };
}

const people = typedRows<Omit<Selectable<EscalationPeople>, 'escalation_id' | 'waits_for'>>({
  user_id: 'string',
  role_id: 'string?',
  called_at: 'date',
  times: 'number',
  delivered_at: 'date?',
  seen_at: 'date?',
  accepted_at: 'date?',
});

async function loadPeople(tx: DatabaseTransaction, id: string): Promise<CalledPerson[]> {
  const rows = await people.read(
    tx,
    sql`select user_id, role_id, called_at, times, delivered_at, seen_at, accepted_at
      from escalation_people where escalation_id = ${id} order by called_at, user_id`,
  );
  return rows.map((row) => ({
    userId: row.user_id,
    roleId: row.role_id,
    calledAt: row.called_at,
    times: row.times,
    deliveredAt: row.delivered_at,
    seenAt: row.seen_at,
    acceptedAt: row.accepted_at,
  }));
}

type Changed = Transition & { readonly kind: 'changed' };

/** Stores one that begins. */
export async function insertEscalation(
  tx: DatabaseTransaction,
  { id, facilityId, subject, plan }: Omit<StoredEscalation, 'escalation'>,
  { next, entry }: Changed,
): Promise<void> {
  await tx
    .insertInto('escalations')
    .values({
      ...{ id, facility_id: facilityId, subject: subject.kind, subject_id: subject.id },
      ...{ started_by: next.startedBy, started_at: next.startedAt, plan: JSON.stringify(plan) },
      ...columnsOf(next),
    })
    .execute();
  await storePeople(tx, id, next);
  await appendEntry(tx, id, entry);
}

/** Stores what a transition has made of one that is held. */
export async function storeTransition(tx: DatabaseTransaction, id: string, { next, entry }: Changed): Promise<void> {
  await tx.updateTable('escalations').set(columnsOf(next)).where('id', '=', id).execute();
  await storePeople(tx, id, next);
  await appendEntry(tx, id, entry);
}

function columnsOf({ state, version, step, reminders, dueAt }: Escalation) {
  return { state, version, step, reminders, due_at: dueAt };
}

async function storePeople(tx: DatabaseTransaction, id: string, escalation: Escalation): Promise<void> {
  const rows = escalation.people.map((person) => ({
    ...{ escalation_id: id, user_id: person.userId, role_id: person.roleId },
    ...{ called_at: person.calledAt, times: person.times, waits_for: waitsFor(escalation, person) },
    ...{ delivered_at: person.deliveredAt, seen_at: person.seenAt, accepted_at: person.acceptedAt },
  }));
  if (rows.length === 0) return;
  await tx
    .insertInto('escalation_people')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['escalation_id', 'user_id']).doUpdateSet(({ ref }) => ({
        ...{ times: ref('excluded.times'), waits_for: ref('excluded.waits_for') },
        ...{ delivered_at: ref('excluded.delivered_at'), seen_at: ref('excluded.seen_at') },
        accepted_at: ref('excluded.accepted_at'),
      })),
    )
    .execute();
}

/** Writes a line of the timeline beside what its transitions write. */
export async function appendEntry(tx: DatabaseTransaction, id: string, entry: Entry | null): Promise<void> {
  if (entry === null) return;
  await sql`
    insert into escalation_entries (escalation_id, place, at, due_at, kind, user_id, called, note)
    select ${id}, coalesce(max(place), 0) + 1, ${entry.at}, ${entry.dueAt}::timestamptz, ${entry.kind}, ${entry.by}::uuid,
      ${entry.called}::uuid[], ${entry.note}::text
    from escalation_entries where escalation_id = ${id}`.execute(tx);
}

/** Puts off one whose step failed, so that it holds up no other. */
export async function postponeEscalation(tx: DatabaseTransaction, id: string, until: Date): Promise<void> {
  await tx.updateTable('escalations').set({ due_at: until }).where('id', '=', id).where('due_at', '<', until).execute();
}
