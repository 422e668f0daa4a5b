import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/on-call.ts';
import { MOST_SHIFT_HOURS, MOST_TAKEN_HOURS, type OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { actorNow, authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { handOnCall, takeOnCall } from './policy.ts';
import {
  aboutRole,
  endShift,
  holdCandidate,
  type LockedRole,
  loadRole,
  lockRole,
  onCallChanged,
  type RolePlace,
  requireMember,
} from './queries.ts';

type Context = Pick<RequestContext, 'actor' | 'write'>;
const HOUR_MS = 3_600_000;

/** I am on call from now on, whoever was. */
export async function takeOver(
  { actor, write }: Context,
  { params, body }: Pick<InputOf<typeof contract.takeOver>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.takeOver>> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  authorize(actor, takeOnCall, place);
  return write('on_call.take_over', async (tx) => {
    const locked = await lockRole(tx, place);
    await authorizeNow(tx, actor, takeOnCall, place);
    return passOn(tx, { actor, place, locked, to: actor.userId, mostHours: MOST_TAKEN_HOURS, ...body });
  });
}

/** A colleague is on call from now on: said by who was, or by who plans the shifts. */
export async function handOver(
  { actor, write }: Context,
  { params, body }: Pick<InputOf<typeof contract.handOver>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.handOver>> {
  const place = { facilityId: params.facility, roleId: params.role };
  requireMember(actor, place.facilityId);
  return write('on_call.hand_over', async (tx) => {
    const locked = await lockRole(tx, place);
    const before = await findShift(tx, place, body.replaces);
    const actorThen = await actorNow(tx, actor, place.facilityId);
    authorize(actorThen, handOnCall, { ...place, holderId: before?.user_id ?? null });
    return passOn(tx, { actor, place, locked, to: body.person_id, mostHours: MOST_SHIFT_HOURS, ...body });
  });
}

interface PassOn {
  readonly actor: RequestContext['actor'];
  readonly place: RolePlace;
  readonly locked: LockedRole;
  /** Who is on call from now on. */
  readonly to: string;
  readonly until: string;
  readonly mostHours: number;
  /** The shift that ends by it, as whoever asked sees it. */
  readonly replaces: string | null;
}

/** Ends the shift of now and begins the next, under the role's lock: of two at once the second hears who has it. */
async function passOn(tx: DatabaseTransaction, { actor, place, locked, to, until, mostHours, replaces }: PassOn) {
  const { name, now } = locked;
  const endsAt = new Date(until);
  const isHeld = await holdCandidate(tx, { ...place, userId: to });
  if (!isHeld) throw invalidField('person_id', 'This person can’t be on call here.');
  const present = await findPresent(tx, place, now);
  const isRepeated = present?.user_id === to && present.ends_at.getTime() === endsAt.getTime();
  if (isRepeated) return { result: await loadRole(tx, { actor, ...place, at: now }), audit: null };
  if ((present?.id ?? null) !== replaces) throw new AppError('conflict', { message: whoHolds(name, present) });
  guardUntil({ endsAt, now, mostHours });
  const next = await findNext(tx, place, now);
  if (next && next.starts_at < endsAt) throw invalidField('until', `${next.name} is planned to start before that.`);
  if (present?.user_id === to) {
    await tx.updateTable('on_call_shifts').set({ ends_at: endsAt }).where('id', '=', present.id).execute();
  } else {
    if (present) await endShift(tx, present, now);
    await tx
      .insertInto('on_call_shifts')
      .values({
        ...{ id: newId(), facility_id: place.facilityId, role_id: place.roleId, user_id: to },
        ...{ starts_at: now, ends_at: endsAt, created_by: actor.userId },
      })
      .execute();
  }
  const result: OnCallRole = await loadRole(tx, { actor, ...place, at: now });
  return {
    result,
    audit: aboutRole(place, { from: present?.user_id ?? null, to, until: endsAt }),
    publish: [onCallChanged(place)],
  };
}

function guardUntil({ endsAt, now, mostHours }: { endsAt: Date; now: Date; mostHours: number }): void {
  if (endsAt <= now) throw invalidField('until', 'This time has passed.');
  if (endsAt.getTime() - now.getTime() > mostHours * HOUR_MS) {
    throw invalidField('until', mostHours === MOST_TAKEN_HOURS ? 'At most 24 hours.' : 'At most 7 days.');
  }
}

function whoHolds(role: string, present: { readonly name: string } | undefined): string {
  return `${present?.name ?? 'No one'} holds ${role} now.`;
}

/** Of a role that is held: it is of its facility. */
function shiftsOf(tx: DatabaseTransaction, { roleId }: RolePlace) {
  return tx
    .selectFrom('on_call_shifts as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.starts_at', 's.ends_at', 'u.name'])
    .where('s.role_id', '=', roleId);
}

/** The shift of this instant. */
function findPresent(tx: DatabaseTransaction, place: RolePlace, now: Date) {
  return shiftsOf(tx, place).where('s.starts_at', '<=', now).where('s.ends_at', '>', now).executeTakeFirst();
}

function findNext(tx: DatabaseTransaction, place: RolePlace, now: Date) {
  return shiftsOf(tx, place).where('s.starts_at', '>', now).orderBy('s.ends_at').executeTakeFirst();
}

/** The shift that somebody speaks of, whether or not it is still that of now. */
async function findShift(tx: DatabaseTransaction, place: RolePlace, id: string | null) {
  return id === null ? undefined : shiftsOf(tx, place).where('s.id', '=', id).executeTakeFirst();
}
