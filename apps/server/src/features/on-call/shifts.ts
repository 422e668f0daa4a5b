import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/on-call.ts';
import { MOST_AHEAD_DAYS, MOST_SHIFT_HOURS } from '@wardline/contract/facilities/on-call.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, can } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { manageOnCall, seePhones } from './policy.ts';
import {
  aboutRole,
  endShift,
  holdCandidate,
  loadRole,
  lockRole,
  onCallChanged,
  type RolePlace,
  requireMember,
  rolesOf,
  shiftRows,
  shiftsAt,
  toShift,
} from './queries.ts';

const PAGE = 50;
const HOUR_MS = 3_600_000;

/** The shifts of a role that are not over, in their order. The cursor is the last one's id. */
export async function listShifts(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Pick<InputOf<typeof contract.listShifts>, 'params' | 'query'>,
): Promise<ReplyOf<typeof contract.listShifts>> {
  const { facility: facilityId, role: roleId } = params;
  requireMember(actor, facilityId);
  if (!(await rolesOf(db, facilityId).where('r.id', '=', roleId).executeTakeFirst())) throw new AppError('not_found');
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : await findEnd(db, { roleId, shiftId: query.cursor });
  const rows = await shiftRows.read(
    db,
    sql`select ${shiftsAt(sql<Date>`now()`)}
      where s.role_id = ${roleId} and s.ends_at > greatest(now(), ${after}::timestamptz)
      order by s.ends_at limit ${limit + 1}`,
  );
  const withPhones = can(actor, seePhones, { facilityId });
  const data = rows.slice(0, limit).map((row) => toShift(row, { withPhones }));
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

async function findEnd(db: RequestContext['db'], { roleId, shiftId }: { roleId: string; shiftId: string }) {
  const found = await db
    .selectFrom('on_call_shifts')
    .select('ends_at')
    .where('id', '=', idCursor(shiftId))
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  if (!found) throw wrongCursor();
  return found.ends_at;
}

/** Plans a shift; one that should have begun begins now, since nobody was on call before they were asked to be. */
export async function planShift(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params, body }: Pick<InputOf<typeof contract.planShift>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.planShift>> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  authorize(actor, manageOnCall, place);
  return write('on_call.shift.plan', async (tx) => {
    const { now } = await lockRole(tx, place);
    await authorizeNow(tx, actor, manageOnCall, place);
    const startsAt = new Date(Math.max(Date.parse(body.starts_at), now.getTime()));
    const endsAt = new Date(body.ends_at);
    guardSpan({ startsAt, endsAt, now });
    if (!(await holdCandidate(tx, { ...place, userId: body.person_id }))) {
      throw invalidField('person_id', 'This person can’t be on call here.');
    }
    const other = await findOverlap(tx, place, { startsAt, endsAt });
    if (other) throw new AppError('conflict', { message: `${other.name} is on call then.` });
    const id = newId();
    await tx
      .insertInto('on_call_shifts')
      .values({
        ...{ id, facility_id: place.facilityId, role_id: place.roleId, user_id: body.person_id },
        ...{ starts_at: startsAt, ends_at: endsAt, created_by: actor.userId },
      })
      .execute();
    return {
      result: await loadRole(tx, { actor, ...place, at: now }),
      audit: aboutRole(place, { shift: id, user: body.person_id, starts_at: startsAt, ends_at: endsAt }),
      publish: [onCallChanged(place)],
    };
  });
}

function guardSpan({ startsAt, endsAt, now }: { startsAt: Date; endsAt: Date; now: Date }): void {
  if (endsAt <= startsAt) throw invalidField('ends_at', 'A shift ends after it begins, and not in the past.');
  if (endsAt.getTime() - startsAt.getTime() > MOST_SHIFT_HOURS * HOUR_MS) {
    throw invalidField('ends_at', `At most ${MOST_SHIFT_HOURS / 24} days.`);
  }
  if (startsAt.getTime() - now.getTime() > MOST_AHEAD_DAYS * 24 * HOUR_MS) {
    throw invalidField('starts_at', 'At most a year ahead.');
  }
}

/** Whoever holds the role at some time between. */
function findOverlap(tx: DatabaseTransaction, { roleId }: RolePlace, span: { startsAt: Date; endsAt: Date }) {
  return tx
    .selectFrom('on_call_shifts as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('u.name')
    .where('s.role_id', '=', roleId)
    .where('s.ends_at', '>', span.startsAt)
    .where('s.starts_at', '<', span.endsAt)
    .orderBy('s.ends_at')
    .executeTakeFirst();
}

/** Takes a planned shift away; one that has begun ends now, and what was stays. */
export async function deleteShift(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params }: Pick<InputOf<typeof contract.deleteShift>, 'params'>,
): Promise<undefined> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  authorize(actor, manageOnCall, place);
  await write('on_call.shift.delete', async (tx) => {
    const { now } = await lockRole(tx, place);
    await authorizeNow(tx, actor, manageOnCall, place);
    const shift = await tx
      .selectFrom('on_call_shifts')
      .select(['id', 'user_id', 'starts_at', 'ends_at'])
      .where('id', '=', params.shift)
      .where('role_id', '=', place.roleId)
      .executeTakeFirst();
    if (!shift) throw new AppError('not_found');
    if (shift.ends_at <= now) throw new AppError('conflict', { message: 'This shift is over.' });
    await endShift(tx, shift, now);
    return {
      result: undefined,
      audit: aboutRole(place, { shift: shift.id, user: shift.user_id, had_begun: shift.starts_at < now }),
      publish: [onCallChanged(place)],
    };
  });
}
