import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { createFacility as endpoint } from '@wardline/contract/system-facilities.ts';
import { makeFacility } from '#/features/facilities/make-facility.ts';
import { SHIPPED_ROLES } from '#/features/facilities/shipped-roles.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { requireOperator } from '#/platform/http/require-operator.ts';
import { getFacility } from './facility-rows.ts';

/** What a facility needs of invitations; the composition root gives it. */
export interface InviteDeps {
  readonly inviteAdministrator: (
    tx: Transaction,
    invited: {
      readonly facilityId: string;
      readonly email: string;
      readonly createdBy: string;
      readonly roleId: string;
    },
  ) => Promise<void>;
  readonly nudgeJobs: () => void;
}

/** A facility with the shipped roles; who is to administer it is invited by mail. */
export function createFacility({ inviteAdministrator, nudgeJobs }: InviteDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const { name, code, time_zone: timeZone, census_time: censusTime, latitude = null, longitude = null } = body;
    if ((latitude === null) !== (longitude === null)) {
      throw invalidField(latitude === null ? 'latitude' : 'longitude', 'Both or neither: latitude and longitude.');
    }
    return write('facility.create', async (tx) => {
      const { facilityId } = await makeFacility(tx, { name, code, timeZone, censusTime, latitude, longitude });
      const roleId = await findAdministratorRole(tx, facilityId);
      const [email, createdBy] = [body.administrator_email, actor.userId];
      await inviteAdministrator(tx, { facilityId, email, createdBy, roleId });
      return {
        result: await getFacility(tx, facilityId),
        audit: { facilityId, objectType: 'facility', objectId: facilityId },
        afterCommit: nudgeJobs,
      };
    });
  };
}

/** The shipped role by which somebody administers a facility; its administrators may have called it otherwise. */
export async function findAdministratorRole(tx: Transaction, facilityId: string): Promise<string> {
  const { name } = SHIPPED_ROLES.facilityAdministrator;
  const role = await tx
    .selectFrom('roles')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!role) throw new AppError('conflict', { message: `The facility has no role “${name}” any more.` });
  return role.id;
}
