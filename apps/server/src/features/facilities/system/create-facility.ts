import type { BodyOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { createFacility as endpoint } from '@wardline/contract/facilities/system-facilities.ts';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { Change, RequestContext, Transaction } from '#/platform/http/context.ts';
import { getFacility } from './facility-rows.ts';

/** What is handed over: of invitations by the composition root, the rest by the feature. */
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
}

interface NewFacility {
  readonly name: string;
  readonly code: string;
  readonly timeZone: string;
  readonly censusTime: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface SystemFacilityDeps extends InviteDeps {
  readonly make: (tx: Transaction, facility: NewFacility) => Promise<{ readonly facilityId: string }>;
  /** Lets only one transaction at a time change what a facility is called and who belongs to it. */
  readonly lockMembers: (tx: Transaction, facilityId: string) => Promise<void>;
  /** Tells the members' devices that what the facility shows has changed, and asks for their rights again. */
  readonly membersChanged: (
    tx: Transaction,
    facilityId: string,
  ) => Promise<Pick<Change<unknown>, 'publishToAll' | 'afterCommit'>>;
  /** The name of the shipped role by which somebody administers a facility. */
  readonly administratorRole: string;
}

/** A facility with the shipped roles; who is to administer it is invited by mail. */
export function createFacility({ inviteAdministrator, make, administratorRole }: SystemFacilityDeps) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { body }: { body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const { name, code, time_zone: timeZone, census_time: censusTime, latitude = null, longitude = null } = body;
    if ((latitude === null) !== (longitude === null)) {
      throw invalidField(latitude === null ? 'latitude' : 'longitude', 'Both or neither: latitude and longitude.');
    }
    return acrossFacilities(() =>
      write('facility.create', async (tx) => {
        const { facilityId } = await make(tx, { name, code, timeZone, censusTime, latitude, longitude });
        const roleId = await findRole(tx, facilityId, administratorRole);
        const [email, createdBy] = [body.administrator_email, actor.userId];
        await inviteAdministrator(tx, { facilityId, email, createdBy, roleId });
        return {
          result: await getFacility(tx, facilityId),
          audit: { facilityId, objectType: 'facility', objectId: facilityId },
        };
      }),
    );
  };
}

/** A role of a facility by its name; its administrators may have called it otherwise. */
export async function findRole(tx: Transaction, facilityId: string, name: string): Promise<string> {
  const role = await tx
    .selectFrom('roles')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!role) throw new AppError('conflict', { message: `The facility has no role “${name}” any more.` });
  return role.id;
}
