import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  deactivateFacility,
  reopenFacility as reopening,
} from '@wardline/contract/facilities/system-facilities.ts';
import { sql } from 'kysely';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { createWriteWithin } from '#/platform/http/writes/write.ts';
import type { SystemFacilityDeps } from './create-facility.ts';
import { getFacility } from './facility-rows.ts';

type Deps = Pick<SystemFacilityDeps, 'lockMembers' | 'membersChanged'>;

/** Closes a facility to everybody within the second; its data stay as they are, and what it does by the clock rests. */
export function closeFacility(deps: Deps) {
  return (
    ctx: RequestContext,
    { params, body }: { params: ParamsOf<typeof deactivateFacility>; body: BodyOf<typeof deactivateFacility> },
  ): Promise<ReplyOf<typeof deactivateFacility>> =>
    change(ctx, deps, { facilityId: params.facility, isDeactivated: true, typedName: body.name });
}

/** Opens it again; devices find its chats in what changed. */
export function reopenFacility(deps: Deps) {
  return (
    ctx: RequestContext,
    { params }: { params: ParamsOf<typeof reopening> },
  ): Promise<ReplyOf<typeof reopening>> => change(ctx, deps, { facilityId: params.facility, isDeactivated: false });
}

interface Wanted {
  readonly facilityId: string;
  readonly isDeactivated: boolean;
  readonly typedName?: string;
}

async function change(ctx: RequestContext, { lockMembers, membersChanged }: Deps, wanted: Wanted) {
  const { facilityId, isDeactivated, typedName } = wanted;
  requireOperator(ctx.actor);
  const action = isDeactivated ? 'facility.deactivate' : 'facility.reopen';
  // It ends what everybody belongs to, in a facility that the system administrator is no member of.
  return asSystem('membership', () =>
    ctx.write(action, async (tx) => {
      await lockMembers(tx, facilityId);
      const standing = await getFacility(tx, facilityId);
      if (typedName !== undefined && typedName !== standing.name) {
        throw invalidField('name', 'This is not the name of the facility.');
      }
      if ((standing.deactivated_at !== null) === isDeactivated) {
        throw new AppError('conflict', { message: `The facility is ${isDeactivated ? 'closed' : 'open'} already.` });
      }
      await store(tx, { facilityId, isDeactivated });
      const about = { objectType: 'facility', objectId: facilityId };
      // One for the facility too, where its administrator looks when it is open again.
      await createWriteWithin(tx, ctx)(action, async () => ({ result: undefined, audit: { ...about, facilityId } }));
      return {
        result: await getFacility(tx, facilityId),
        audit: about,
        ...(await membersChanged(tx, facilityId)),
      };
    }),
  );
}

async function store(tx: Transaction, { facilityId, isDeactivated }: Wanted): Promise<void> {
  await tx
    .updateTable('facilities')
    .set({
      deactivated_at: isDeactivated ? sql<Date>`now()` : null,
      ...{ version: sql<number>`version + 1`, updated_at: sql<Date>`now()` },
    })
    .where('id', '=', facilityId)
    .execute();
  if (isDeactivated) return;
  await sql`
    update chat_participants set notify = notify where facility_id = ${facilityId} and left_at is null`.execute(tx);
}
