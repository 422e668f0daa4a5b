import { COUNT_FIELDS } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { DayKey } from './facility-day-queries.ts';

type Queryable = Database | DatabaseTransaction;

/** A signature with what it answers for, and what the log says of it. */
export interface StoredSignature {
  readonly log_seq: number;
  readonly signed_at: Date;
  readonly signed_by: { readonly id: string; readonly name: string };
  readonly figures: string;
  readonly hash: Buffer;
  /** As the log tells it; null where its text was removed for its age. */
  readonly told_hash: string | null;
  /** Whether there is such an entry, with or without its text. */
  readonly is_told: boolean;
}

const storedSignatures = typedRows<StoredSignature>({
  log_seq: 'number',
  signed_at: 'date',
  signed_by: 'json',
  figures: 'string',
  hash: 'buffer',
  told_hash: 'string?',
  is_told: 'boolean',
});

/** All signatures of a day whose figures were kept, the newest first. */
export function findSignatures(db: Queryable, { facilityNo, date }: DayKey): Promise<StoredSignature[]> {
  return storedSignatures.read(
    db,
    sql`
      select s.log_seq, s.signed_at, json_build_object('id', u.id, 'name', u.name) as signed_by, s.figures, s.hash,
        case when l.redacted_at is null and l.entry is json object
          then l.entry::jsonb -> 'after' ->> 'figures_hash' end as told_hash,
        (l.seq is not null and (l.redacted_at is not null or l.entry is json object)) as is_told
      from signed_days s join users u on u.id = s.signed_by
      left join census_log l on l.facility_no = s.facility_no and l.seq = s.log_seq and l.action = 'facility_day.sign'
      where s.facility_no = ${facilityNo} and s.census_date = ${date}
      order by s.log_seq desc`,
  );
}

/** The columns of a report that are figures, by their names. */
export type FigureColumns = Readonly<Record<string, number | string | null>>;

/** How a report was before a change, and whose change that was. */
export interface ReportVersion {
  readonly version: number;
  readonly figures: FigureColumns;
  readonly at: string;
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly reason: string | null;
  readonly reason_code: string | null;
}

/** A report of a day with all that it was before. */
export interface ReportHistory {
  readonly unit_id: string;
  readonly population: 'adult_and_child' | 'newborn';
  readonly unit_code: string;
  readonly figures: FigureColumns;
  /** The oldest first. */
  readonly versions: readonly ReportVersion[];
  /** How many entries of the log tell of a restatement since the signature; null where that is not known. */
  readonly restated_since: number | null;
}

const histories = typedRows<ReportHistory>({
  unit_id: 'string',
  population: 'string',
  unit_code: 'string',
  figures: 'json',
  versions: 'array',
  restated_since: 'number?',
});

const FIGURE_COLUMNS = [
  'opening',
  ...COUNT_FIELDS,
  'closing',
  'service_days',
  'beds_licensed',
  'beds_physical',
  'beds_staffed',
  'beds_surge',
  'beds_blocked',
  'variance_reason',
  'capacity_reason',
] as const;

const figuresOfRow = (row: 'c' | 'r.row_data') => {
  const value = (name: string) => (row === 'c' ? sql.ref(`c.${name}`) : sql`r.row_data -> ${sql.lit(name)}`);
  return sql`json_build_object(${sql.join(FIGURE_COLUMNS.flatMap((name) => [sql.lit(name), value(name)]))})`;
};

/** Every report of the day as it is, and as it was before each later version. */
export function findReportHistories(
  db: Queryable,
  { facilityNo, date }: DayKey,
  signedSeq: number | null,
): Promise<ReportHistory[]> {
  return histories.read(
    db,
    sql`
      select u.unit_id, c.population::text, n.code as unit_code, ${figuresOfRow('c')} as figures,
        (select coalesce(json_agg(json_build_object('version', r.version, 'figures', ${figuresOfRow('r.row_data')},
            'at', r.changed_at, 'reason', r.reason, 'reason_code', r.reason_code,
            'by', case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end) order by r.version), '[]')
          from unit_census_revisions r left join users p on p.id = r.changed_by
          where r.unit_no = c.unit_no and r.census_date = c.census_date and r.population = c.population) as versions,
        case when ${signedSeq}::bigint is not null then (
          select count(*) from census_log l
          where l.facility_no = c.facility_no and l.census_date = c.census_date and l.unit_no = c.unit_no
            and present_population(l.class) = c.population and l.action = 'unit_day.restate' and l.outcome = 'done'
            and l.seq > ${signedSeq}::bigint) end as restated_since
      from unit_census c
      join census_units u on u.unit_no = c.unit_no join units n on n.id = u.unit_id
      where c.facility_no = ${facilityNo} and c.census_date = ${date}
      order by n.position, n.name collate "und-x-icu", c.unit_no, c.population`,
  );
}

/** Where the log stood when the day was signed, and the totals that its entry of the signature says. */
export interface ToldSignature {
  readonly log_seq: number | null;
  readonly units_expected: number | null;
  readonly census: number | null;
  readonly service_days: number | null;
}

const toldSignatures = typedRows<ToldSignature>({
  log_seq: 'number?',
  units_expected: 'number?',
  census: 'number?',
  service_days: 'number?',
});

export async function findToldSignature(db: Queryable, { facilityNo, date }: DayKey): Promise<ToldSignature> {
  const found = await toldSignatures.first(
    db,
    sql`
      select d.log_seq, (t.after ->> 'units_expected')::integer as units_expected, (t.after ->> 'census')::integer as census,
        (t.after ->> 'service_days')::integer as service_days
      from facility_days d
      left join lateral (
        select case when l.redacted_at is null and l.entry is json object then l.entry::jsonb -> 'after' end as after
        from census_log l
        where l.facility_no = d.facility_no and l.census_date = d.census_date and l.action = 'facility_day.sign'
          and l.outcome = 'done' and l.seq <= d.log_seq
        order by l.seq desc limit 1) t on true
      where d.facility_no = ${facilityNo} and d.census_date = ${date}`,
  );
  return found ?? { log_seq: null, units_expected: null, census: null, service_days: null };
}
