import type * as contract from '@wardline/contract/chat/interruptions.ts';
import {
  CALLS_ROUNDED_TO,
  type Calls,
  FEWEST_CALLS,
  FEWEST_HOLDERS,
  INTERRUPTION_MONTHS_MAX,
  type RoleInterruptions,
} from '@wardline/contract/chat/interruptions.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { requireMonths } from '#/features/chat/core/months.ts';
import { seeInterruptions } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { type Cell, csvLine } from '#/platform/files/csv.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';

type List = typeof contract.listInterruptions;
type Query = InputOf<List>['query'];

export async function listInterruptions(
  { actor, db }: RequestContext,
  { params, query }: InputOf<List>,
): Promise<ReplyOf<List>> {
  requireInterruptions(actor, params.facility, query);
  return { data: await readInterruptions(db, params.facility, query) };
}

/** The same as a file. That it is taken is stored before the first byte. */
export async function exportInterruptions(
  ctx: RequestContext,
  { params, query }: InputOf<typeof contract.exportInterruptions>,
): Promise<Download> {
  const facilityId = params.facility;
  requireInterruptions(ctx.actor, facilityId, query);
  const roles = await ctx.write('interruptions.export', async (tx) => ({
    result: await readInterruptions(tx, facilityId, query),
    audit: { facilityId, objectType: 'facility', objectId: facilityId, detail: { ...query } },
  }));
  return {
    fileName: `interruptions-${query.from}-${query.to}.csv`,
    contentType: 'text/csv; charset=utf-8',
    // A byte order mark: without one a spreadsheet reads the names wrong.
    body: `\uFEFF${csvLine(COLUMNS)}${roles.flatMap(linesOf).join('')}`,
  };
}

function requireInterruptions(actor: Actor, facilityId: string, months: Query): void {
  requireFacility(actor, facilityId);
  authorize(actor, seeInterruptions, { facilityId });
  requireMonths(months, INTERRUPTION_MONTHS_MAX);
}

interface CallsRow {
  readonly role_id: string;
  readonly role_name: string;
  readonly holders: number;
  /** -1 for the whole day. */
  readonly hour: number;
  readonly silent: number;
  readonly aloud: number;
  readonly urgent: number;
  readonly answers: number;
  readonly answer_s: readonly number[] | null;
}

const callsRows = typedRows<CallsRow>({
  ...{ role_id: 'string', role_name: 'string', holders: 'number', hour: 'number' },
  ...{ silent: 'number', aloud: 'number', urgent: 'number', answers: 'number', answer_s: 'array?' },
});

/** Median and 90th percentile are times that occurred, as those of critical results. */
async function readInterruptions(
  db: Database | DatabaseTransaction,
  facilityId: string,
  { from, to }: Query,
): Promise<RoleInterruptions[]> {
  const ofPeriod = sql`facility_id = ${facilityId} and day >= ${`${from}-01`}::date
    and day < (${`${to}-01`}::date + interval '1 month')::date`;
  const ofKind = (kind: string) => sql`coalesce(sum(calls) filter (where kind = ${kind}), 0)::int`;
  const rows = await callsRows.read(
    db,
    sql`
      with counted as (
        select role_id, coalesce(hour, -1) as hour, ${ofKind('silent')} as silent, ${ofKind('aloud')} as aloud,
          ${ofKind('urgent')} as urgent
        from call_counts where ${ofPeriod} group by grouping sets ((role_id, hour), (role_id))
      ), answered as (
        select role_id, coalesce(hour, -1) as hour, count(*)::int as answers,
          to_jsonb(percentile_disc(array[0.5, 0.9]) within group (order by seconds)) as answer_s
        from urgent_answers where ${ofPeriod} group by grouping sets ((role_id, hour), (role_id))
      )
      select r.id as role_id, r.name as role_name, hour, coalesce(silent, 0) as silent, coalesce(aloud, 0) as aloud,
        coalesce(urgent, 0) as urgent, coalesce(answers, 0) as answers, answer_s, (
          select count(*)::int from membership_roles place
          join memberships m on m.id = place.membership_id and m.ended_at is null
          join users u on u.id = m.user_id and u.disabled_at is null
          where place.role_id = r.id
        ) as holders
      from counted full join answered using (role_id, hour) join roles r on r.id = role_id
      order by r.name, r.id, hour`,
  );
  const roles = new Set(rows.map(({ role_id }) => role_id));
  return [...roles].map((id) => toRole(rows.filter(({ role_id }) => role_id === id)));
}

/** What a role that few hold has is not told: neither its hours nor how many calls it had. */
function toRole(rows: readonly CallsRow[]): RoleInterruptions {
  const [total, ...hours] = rows;
  if (!total) throw new Error('a role without a row');
  const role = { id: total.role_id, name: total.role_name };
  if (total.holders < FEWEST_HOLDERS) return { role, total: null, hours: [] };
  return { role, total: toCalls(total), hours: hours.map((row) => ({ hour: row.hour, ...toCalls(row) })) };
}

function toCalls({ silent, aloud, urgent, answers, answer_s }: CallsRow): Calls {
  const [median_s = null, p90_s = null] = answers < FEWEST_CALLS ? [] : (answer_s ?? []);
  return {
    ...{ silent: roundCalls(silent), aloud: roundCalls(aloud), urgent: roundCalls(urgent) },
    answers: { count: roundCalls(answers), median_s, p90_s },
  };
}

/** Null where there are few; else a multiple of five, so that what is hidden is not found by taking away the rest. */
export function roundCalls(calls: number): number | null {
  if (calls > 0 && calls < FEWEST_CALLS) return null;
  return Math.round(calls / CALLS_ROUNDED_TO) * CALLS_ROUNDED_TO;
}

const COLUMNS = [
  ...['role', 'hour', 'silent', 'aloud', 'urgent', 'urgent_answered'],
  ...['answer_median_s', 'answer_p90_s'],
];

function linesOf({ role, total, hours }: RoleInterruptions): string[] {
  const line = (hour: Cell, calls: Calls | null) => csvLine([role.name, hour, ...cellsOf(calls)]);
  return [line('all', total), ...hours.map(({ hour, ...calls }) => line(hour, calls))];
}

function cellsOf(calls: Calls | null): Cell[] {
  const count = (number: number | null): Cell => number ?? 'few';
  if (calls === null) return ['few', 'few', 'few', 'few', null, null];
  const { silent, aloud, urgent, answers } = calls;
  return [...[silent, aloud, urgent, answers.count].map(count), answers.median_s, answers.p90_s];
}
