import { type BusyReason, lastSeenOf } from '@wardline/contract/facilities/decide-presence.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

interface PresenceRow {
  readonly user_id: string;
  readonly shift_until: Date | null;
  readonly on_duty_until: Date | null;
  readonly busy_until: Date | null;
  readonly busy_reason: string | null;
  readonly seen_s: number | null;
  readonly seen_days: number | null;
}

const presences = typedRows<PresenceRow>({
  ...{ user_id: 'string', shift_until: 'date?', on_duty_until: 'date?', busy_until: 'date?', busy_reason: 'string?' },
  ...{ seen_s: 'number?', seen_days: 'number?' },
});

/** Of these people the members of a facility, with what is known of their duty there: what is over is left out. */
export async function findPresences(
  db: Database | DatabaseTransaction,
  { facilityId, userIds }: { readonly facilityId: string; readonly userIds: readonly string[] },
): Promise<Presence[]> {
  const rows = await presences.read(
    db,
    sql`
      select m.user_id, shifts.until as shift_until,
        d.on_duty_until, d.busy_until, d.busy_reason,
        extract(epoch from now() - l.seen_at)::float8 as seen_s,
        (now() at time zone f.time_zone)::date - (l.seen_at at time zone f.time_zone)::date as seen_days
      from memberships m
      join users u on u.id = m.user_id and u.disabled_at is null
      join facilities f on f.id = m.facility_id
      left join duty_statements d on d.facility_id = m.facility_id and d.user_id = m.user_id
      left join last_seen l on l.user_id = m.user_id and f.shows_last_seen
      cross join lateral (
        select max(s.ends_at) as until from on_call_shifts s
        where s.user_id = m.user_id and s.facility_id = m.facility_id and s.starts_at <= now() and s.ends_at > now()
      ) shifts
      where m.facility_id = ${facilityId} and m.user_id = any(${userIds}::uuid[]) and m.ended_at is null`,
  );
  return rows.map(toPresence);
}

function toPresence({ user_id, shift_until, on_duty_until, busy_until, busy_reason, ...seen }: PresenceRow): Presence {
  const { seen_s, seen_days } = seen;
  return {
    ...{ user_id, shift_until: lasting(shift_until), on_duty_until: lasting(on_duty_until) },
    busy: busyOf(busy_until, busy_reason),
    last_seen: seen_s === null || seen_days === null ? null : lastSeenOf({ secondsAgo: seen_s, daysAgo: seen_days }),
  };
}

function busyOf(until: Date | null, reason: string | null): Presence['busy'] {
  const lasts = lasting(until);
  // The table's own rule says which reasons there are.
  return lasts === null ? null : { until: lasts, reason: reason as BusyReason | null };
}

function lasting(at: Date | null): string | null {
  return at !== null && at.getTime() > Date.now() ? at.toISOString() : null;
}

/** What is over of what people said, and when they were seen where nothing would be said of it any more. */
export async function purgePresence(db: Database): Promise<void> {
  await sql`delete from duty_statements where greatest(on_duty_until, busy_until) < now()`.execute(db);
  await sql`delete from last_seen where seen_at < now() - interval '8 days'`.execute(db);
}
