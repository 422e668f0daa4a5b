import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { LaboratoryReport } from './laboratory-report.ts';

interface FeedRow {
  readonly version: number;
  readonly authority: string | null;
  readonly critical_role_id: string | null;
  readonly critical_role: string | null;
  readonly codes: readonly { readonly code: string; readonly loinc: string }[];
}

const feeds = typedRows<FeedRow>({
  ...{ version: 'number', authority: 'string?', critical_role_id: 'string?', critical_role: 'string?' },
  codes: 'array',
});

/** How a facility hears its laboratory; as it is before anybody set it. A role that was retired calls nobody. */
export async function findFeed(db: Database | DatabaseTransaction, facilityId: string): Promise<FeedRow> {
  const query = sql`
    select f.version, f.authority, r.id as critical_role_id, r.name as critical_role, f.codes
    from laboratory_feeds as f left join on_call_roles as r on r.id = f.critical_role_id and r.retired_at is null
    where f.facility_id = ${facilityId}`;
  const found = await feeds.first(db, query);
  return found ?? { version: 0, authority: null, critical_role_id: null, critical_role: null, codes: [] };
}

/** From here on to the end of the transaction nothing else of the facility's laboratory is filed or assigned. */
export async function holdFeed(tx: DatabaseTransaction, facilityId: string): Promise<void> {
  await sql`insert into laboratory_feeds (facility_id) values (${facilityId}) on conflict do nothing`.execute(tx);
  await sql`select from laboratory_feeds where facility_id = ${facilityId} for no key update`.execute(tx);
}

/** A report of a message, as it is stored. */
export interface ResultRow {
  readonly id: string;
  readonly message_id: string;
  readonly report_key: string;
  readonly report: LaboratoryReport | null;
  readonly state: 'filed' | 'unmatched' | 'set_aside' | 'outdated' | 'replaced';
  readonly why: string | null;
  readonly is_critical: boolean;
  readonly examination_id: string | null;
  readonly version: number;
  readonly received_at: Date;
  readonly closed_by: string | null;
  readonly closed_name: string | null;
  readonly closed_at: Date | null;
  readonly reason: string | null;
}

const results = typedRows<ResultRow>({
  ...{ id: 'string', message_id: 'string', report_key: 'string', report: 'json?', state: 'string', why: 'string?' },
  is_critical: 'boolean',
  ...{ examination_id: 'string?', version: 'number', received_at: 'date', closed_by: 'string?' },
  ...{ closed_name: 'string?', closed_at: 'date?', reason: 'string?' },
});
const resultColumns = sql`r.id, r.message_id, r.report_key, r.report, r.state, r.why, r.is_critical, r.examination_id, r.version, r.received_at, r.closed_by,
  u.name as closed_name, r.closed_at, r.reason`;
const withCloser = sql`left join users as u on u.id = r.closed_by`;

/** The newest row that says how a report stands: filed, or waiting. */
export async function findStanding(
  tx: DatabaseTransaction,
  { facilityId, key }: { facilityId: string; key: string },
): Promise<{ filed: ResultRow | null; waiting: ResultRow | null }> {
  const newest = async (state: string) =>
    (await results.first(
      tx,
      sql`select ${resultColumns} from laboratory_results as r ${withCloser}
        where r.facility_id = ${facilityId} and r.report_key = ${key} and r.state = ${state} order by r.id desc limit 1`,
    )) ?? null;
  return { filed: await newest('filed'), waiting: await newest('unmatched') };
}

export async function findResult(
  tx: Database | DatabaseTransaction,
  { facilityId, id }: { facilityId: string; id: string },
): Promise<ResultRow | null> {
  const query = sql`select ${resultColumns} from laboratory_results as r ${withCloser}
    where r.id = ${id} and r.facility_id = ${facilityId}`;
  return (await results.first(tx, query)) ?? null;
}

interface ResultPage {
  readonly facilityId: string;
  readonly state: 'unmatched' | 'set_aside';
  readonly before: string | null;
  readonly limit: number;
}

/** The newest first; what was set aside and emptied since is over. */
export function listResults(db: Database, { facilityId, state, before, limit }: ResultPage): Promise<ResultRow[]> {
  const query = sql`select ${resultColumns} from laboratory_results as r ${withCloser}
    where r.facility_id = ${facilityId} and r.state = ${sql.lit(state)} and r.report is not null
      and ${before === null ? sql`true` : sql`r.id < ${before}`}
    order by r.id desc limit ${limit}`;
  return results.read(db, query);
}

interface UnmatchedCount {
  readonly all: number;
  readonly critical: number;
}
const counts = typedRows<UnmatchedCount>({ all: 'number', critical: 'number' });

/** How many results wait for a person, and how many of them are critical. */
export async function countUnmatched(db: Database | DatabaseTransaction, facilityId: string): Promise<UnmatchedCount> {
  const query = sql`
    select count(*)::int as all, (count(*) filter (where is_critical))::int as critical
    from laboratory_results where facility_id = ${facilityId} and state = 'unmatched'`;
  return (await counts.first(db, query)) ?? { all: 0, critical: 0 };
}

interface MessageRow {
  readonly id: string;
  readonly control_id: string;
  readonly sender: string | null;
  readonly received_at: Date;
  readonly reports: number;
  readonly filed: number;
  readonly unmatched: number;
  readonly set_aside: number;
  readonly outdated: number;
}
const messages = typedRows<MessageRow>({
  ...{ id: 'string', control_id: 'string', sender: 'string?', received_at: 'date', reports: 'number', filed: 'number' },
  ...{ unmatched: 'number', set_aside: 'number', outdated: 'number' },
});

/** The messages that were taken with what became of their reports, the newest first. */
export function listMessages(
  db: Database,
  { facilityId, before, limit }: { facilityId: string; before: string | null; limit: number },
): Promise<MessageRow[]> {
  const query = sql`
    select m.id, m.control_id, m.sender, m.received_at, m.reports, r.filed, r.unmatched, r.set_aside, r.outdated
    from laboratory_messages as m cross join lateral (
      select count(*) filter (where state = 'filed')::int as filed, count(*) filter (where state = 'unmatched')::int as unmatched,
        count(*) filter (where state = 'set_aside')::int as set_aside,
        count(*) filter (where state in ('outdated', 'replaced'))::int as outdated
      from laboratory_results where message_id = m.id) as r
    where m.facility_id = ${facilityId} and ${before === null ? sql`true` : sql`m.id < ${before}`}
    order by m.id desc limit ${limit}`;
  return messages.read(db, query);
}

const KEPT_DAYS = 90;

/** Empties what is closed and old: what stands in no examination says nothing of a patient any more. */
export async function emptyOldResults(db: Database, now: Date): Promise<void> {
  await sql`update laboratory_results set report = null
    where report is not null and state in ('set_aside', 'outdated', 'replaced')
      and received_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(db);
}
