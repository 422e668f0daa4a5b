import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { inviteAdministrator as endpoint } from '@wardline/contract/facilities/system-facilities.ts';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { findRole, type SystemFacilityDeps } from './create-facility.ts';
import { getFacility } from './facility-rows.ts';

/** Only where nobody administers the facility: whoever runs the installation gives nobody else's facility away (PERM-4). */
export function inviteFacilityAdministrator(deps: SystemFacilityDeps) {
  const { inviteAdministrator, lockMembers, administratorRole } = deps;
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params, body }: { params: ParamsOf<typeof endpoint>; body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const { facility: facilityId } = params;
    return acrossFacilities(() =>
      write('facility.invite_administrator', async (tx) => {
        await lockMembers(tx, facilityId);
        const facility = await getFacility(tx, facilityId);
        if (facility.deactivated_at !== null) {
          throw new AppError('conflict', { message: 'The facility is closed. Open it again first.' });
        }
        if (facility.administrator_count > 0) {
          throw new AppError('conflict', { message: 'The facility has an administrator, who invites others.' });
        }
        const roleId = await findRole(tx, facilityId, administratorRole);
        await inviteAdministrator(tx, { facilityId, email: body.email, createdBy: actor.userId, roleId });
        return {
          result: facility,
          audit: { facilityId, objectType: 'facility', objectId: facilityId },
        };
      }),
    );
  };
}
