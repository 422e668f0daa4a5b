import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import {
  type setPresence as endpoint,
  MOST_STATED_HOURS,
  type Presence,
} from '@wardline/contract/facilities/presence.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findPresences } from './presence-queries.ts';
import { requireMember } from './queries.ts';

type Stated = BodyOf<typeof endpoint>;

interface Own {
  readonly facilityId: string;
  readonly userId: string;
}

/**
 * What I say of my own duty here, in place of what I said before. Those whose page shows it are told what was said, so that
 * none of them asks; the same again tells and notes nothing.
 */
export async function setPresence(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params, body }: Pick<InputOf<typeof endpoint>, 'params' | 'body'>,
): Promise<ReplyOf<typeof endpoint>> {
  const own = { facilityId: params.facility, userId: actor.userId };
  requireMember(actor, own.facilityId);
  guardUntil('on_duty_until', body.on_duty_until);
  guardUntil('busy.until', body.busy?.until ?? null);
  return write('presence.set', async (tx) => {
    const before = await findOwn(tx, own);
    if (isSame(before, body)) return { result: before, audit: null };
    await store(tx, own, body);
    const result = await findOwn(tx, own);
    const { state } = dutyOf(result, Date.now());
    const { on_duty_until, busy } = result;
    return {
      result,
      audit: { facilityId: own.facilityId, objectType: 'user', objectId: own.userId, detail: { state } },
      publish: [
        publication(facilityChannel, own.facilityId, [
          'PresenceChanged',
          { facility_id: own.facilityId, user_id: own.userId, on_duty_until, busy },
        ]),
      ],
    };
  });
}

function guardUntil(field: string, until: string | null): void {
  if (until === null) return;
  const ms = Date.parse(until) - Date.now();
  if (ms <= 0) throw invalidField(field, 'This time has passed.');
  if (ms > MOST_STATED_HOURS * 3_600_000) throw invalidField(field, `At most ${MOST_STATED_HOURS} hours.`);
}

async function findOwn(tx: DatabaseTransaction, { facilityId, userId }: Own): Promise<Presence> {
  const [own] = await findPresences(tx, { facilityId, userIds: [userId] });
  if (!own) throw new AppError('not_found');
  return own;
}

function isSame(before: Presence, { on_duty_until, busy }: Stated): boolean {
  const at = (instant: string | null | undefined) => (instant ? Date.parse(instant) : null);
  return (
    at(before.on_duty_until) === at(on_duty_until) &&
    at(before.busy?.until) === at(busy?.until) &&
    (before.busy?.reason ?? null) === (busy?.reason ?? null)
  );
}

async function store(tx: DatabaseTransaction, { facilityId, userId }: Own, { on_duty_until, busy }: Stated) {
  if (on_duty_until === null && busy === null) {
    await tx
      .deleteFrom('duty_statements')
      .where('facility_id', '=', facilityId)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  const said = { on_duty_until, busy_until: busy?.until ?? null, busy_reason: busy?.reason ?? null };
  await tx
    .insertInto('duty_statements')
    .values({ facility_id: facilityId, user_id: userId, ...said })
    .onConflict((conflict) => conflict.columns(['facility_id', 'user_id']).doUpdateSet(said))
    .execute();
}
