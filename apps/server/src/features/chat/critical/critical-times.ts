import { CRITICAL_MONTHS_MAX, type CriticalTimesRow } from '@wardline/contract/chat/critical.ts';
import type * as contract from '@wardline/contract/chat/critical-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { requireMonths } from '#/features/chat/core/months.ts';
import { seeCriticalTimes } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Cell, csvLine } from '#/platform/files/csv.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';

type List = typeof contract.listCriticalTimes;
type Query = InputOf<List>['query'];

export async function listCriticalTimes(
  { actor, db }: RequestContext,
  { params, query }: InputOf<List>,
): Promise<ReplyOf<List>> {
  requireTimes(actor, params.facility, query);
  return { data: await inOwnFacilities(() => readTimes(db, params.facility, query)) };
}

/** The same as a file. That it is taken is stored before the first byte. */
export async function exportCriticalTimes(
  ctx: RequestContext,
  { params, query }: InputOf<typeof contract.exportCriticalTimes>,
): Promise<Download> {
  const facilityId = params.facility;
  requireTimes(ctx.actor, facilityId, query);
  const rows = await ctx.write('critical.times.export', async (tx) => ({
    result: await readTimes(tx, facilityId, query),
    audit: { facilityId, objectType: 'facility', objectId: facilityId, detail: { ...query } },
  }));
  return {
    fileName: `critical-results-${query.from}-${query.to}.csv`,
    contentType: 'text/csv; charset=utf-8',
    // A byte order mark: without one a spreadsheet reads the names wrong.
    body: `\uFEFF${csvLine(COLUMNS)}${rows.map((row) => csvLine(cellsOf(row))).join('')}`,
  };
}

function requireTimes(actor: Actor, facilityId: string, { from, to }: Query): void {
  requireFacility(actor, facilityId);
  authorize(actor, seeCriticalTimes, { facilityId });
  requireMonths({ from, to }, CRITICAL_MONTHS_MAX);
}

const STEPS = ['notified', 'received', 'read_back', 'acted'] as const;
type Step = (typeof STEPS)[number];

type TimesRow = Pick<CriticalTimesRow, 'month' | 'category' | 'raised' | 'withdrawn' | 'open'> & {
  readonly unit_id: string | null;
  readonly unit_code: string | null;
  readonly unit_name: string | null;
} & Record<`${Step}_count`, number> &
  Record<`${Step}_s`, readonly (number | null)[] | null>;

const times = typedRows<TimesRow>({
  ...{ month: 'string', category: 'string', raised: 'number', withdrawn: 'number', open: 'number' },
  ...{ unit_id: 'string?', unit_code: 'string?', unit_name: 'string?' },
  ...{ notified_count: 'number', received_count: 'number', read_back_count: 'number', acted_count: 'number' },
  ...{ notified_s: 'array?', received_s: 'array?', read_back_s: 'array?', acted_s: 'array?' },
});

/**
 * Median and 90th percentile are times that occurred: the smallest that at least half, or nine tenths, of the alerts which reached
 * the step did not exceed (Hyndman and Fan, 1996, definition 1; percentile_disc in PostgreSQL). Those that did not reach it are
 * left out and counted beside.
 */
async function readTimes(
  db: Database | DatabaseTransaction,
  facilityId: string,
  { from, to }: Query,
): Promise<CriticalTimesRow[]> {
  const seconds = (step: Step) => sql`extract(epoch from ${sql.ref(`a.${step}_at`)} - a.identified_at)`;
  const ofStep = (step: Step) => sql`
    count(${sql.ref(`a.${step}_at`)})::int as ${sql.ref(`${step}_count`)},
    to_jsonb(percentile_disc(array[0.5, 0.9]) within group (order by round(${seconds(step)})::int)) as ${sql.ref(`${step}_s`)}`;
  const rows = await times.read(
    db,
    sql`
      with place as (select time_zone from facilities where id = ${facilityId})
      select to_char(a.identified_at at time zone place.time_zone, 'YYYY-MM') as month, a.category, a.unit_id,
        u.code as unit_code, u.name as unit_name, count(*)::int as raised,
        (count(*) filter (where a.state = 'withdrawn'))::int as withdrawn,
        (count(*) filter (where a.state not in ('closed', 'withdrawn')))::int as open,
        ${sql.join(STEPS.map(ofStep))}
      from place
      join critical_alerts a on a.facility_id = ${facilityId}
        and a.identified_at >= (${`${from}-01`}::date)::timestamp at time zone place.time_zone
        and a.identified_at < (${`${to}-01`}::date + interval '1 month') at time zone place.time_zone
      left join units u on u.id = a.unit_id
      group by 1, 2, 3, 4, 5
      order by 1 desc, u.code nulls last, array_position(array['minutes', 'hours', 'days'], a.category)`,
  );
  return rows.map(toRow);
}

function toRow(row: TimesRow): CriticalTimesRow {
  const { unit_id: id, unit_code: code, unit_name: name } = row;
  const step = (which: Step) => {
    const [median_s = null, p90_s = null] = row[`${which}_s`] ?? [];
    return { count: row[`${which}_count`], median_s, p90_s };
  };
  return {
    ...{ month: row.month, category: row.category, raised: row.raised, withdrawn: row.withdrawn, open: row.open },
    unit: id !== null && code !== null && name !== null ? { id, code, name } : null,
    ...{ notified: step('notified'), received: step('received'), read_back: step('read_back'), acted: step('acted') },
  };
}

const COLUMNS = [
  ...['month', 'unit', 'unit_name', 'category', 'raised', 'withdrawn', 'open'],
  ...STEPS.flatMap((step) => [`${step}_count`, `${step}_median_s`, `${step}_p90_s`]),
];

function cellsOf(row: CriticalTimesRow): Cell[] {
  const { month, unit, category, raised, withdrawn, open } = row;
  return [
    ...[month, unit?.code ?? null, unit?.name ?? null, category, raised, withdrawn, open],
    ...STEPS.flatMap((step) => [row[step].count, row[step].median_s, row[step].p90_s]),
  ];
}
