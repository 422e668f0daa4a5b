import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import type { Duty, getDuty as endpoint } from '@wardline/contract/facilities/on-call.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findPresences } from './presence-queries.ts';
import { requireMember } from './queries.ts';

/** A role that somebody held so lately, or will hold so soon, is one that they are asked for. */
const DAYS = 30;

interface DutyRow {
  readonly role_id: string;
  readonly name: string;
  readonly user_id: string;
  readonly holder_name: string;
  readonly ends_at: Date;
}
const duties = typedRows<DutyRow>({
  ...{ role_id: 'string', name: 'string', user_id: 'string', holder_name: 'string', ends_at: 'date' },
});

/** Whom one might rather write to: who holds now what this person holds at other times. */
export async function getDuty(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params }: Pick<InputOf<typeof endpoint>, 'params'>,
): Promise<ReplyOf<typeof endpoint>> {
  const { facility: facilityId, user: userId } = params;
  requireMember(actor, facilityId);
  const [presence] = await findPresences(db, { facilityId, userIds: [userId] });
  if (!presence) throw new AppError('not_found');
  const isOffDuty = dutyOf(presence, Date.now()).state === 'off_duty';
  return {
    is_on_call: presence.shift_until !== null,
    presence,
    instead: isOffDuty ? await findInstead(db, { facilityId, userId, askedBy: actor.userId }) : [],
  };
}

interface Wanted {
  readonly facilityId: string;
  readonly userId: string;
  readonly askedBy: string;
}

async function findInstead(db: Database, { facilityId, userId, askedBy }: Wanted): Promise<Duty['instead']> {
  const rows = await duties.read(
    db,
    sql`select r.id as role_id, r.name, s.user_id, u.name as holder_name, s.ends_at
      from (
        select distinct own.role_id from on_call_shifts own
        where own.user_id = ${userId} and own.facility_id = ${facilityId}
          and own.ends_at > now() - make_interval(days => ${DAYS}) and own.starts_at < now() + make_interval(days => ${DAYS})
      ) as held
      join on_call_roles r on r.id = held.role_id and r.retired_at is null
      join on_call_shifts s on s.role_id = r.id and s.starts_at <= now() and s.ends_at > now()
      join users u on u.id = s.user_id
      order by r.name collate "und-x-icu", r.id`,
  );
  return rows
    .filter((row) => row.user_id !== askedBy)
    .map(({ role_id, name, user_id, holder_name, ends_at }) => ({
      ...{ role_id, name, until: ends_at.toISOString() },
      holder: { user_id, name: holder_name },
    }));
}
