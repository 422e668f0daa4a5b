import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { renameFacility as endpoint } from '@wardline/contract/facilities/system-facilities.ts';
import { sql } from 'kysely';
import { requireFreeCode } from '#/features/facilities/core/require-free-code.ts';
import { acrossFacilities } from '#/platform/db/stated-actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { SystemFacilityDeps } from './create-facility.ts';
import { getFacility } from './facility-rows.ts';

/** Calls a facility otherwise, as its own administrators may too. */
export function renameFacility({ lockMembers }: Pick<SystemFacilityDeps, 'lockMembers'>) {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params, body }: { params: ParamsOf<typeof endpoint>; body: BodyOf<typeof endpoint> },
  ): Promise<ReplyOf<typeof endpoint>> => {
    requireOperator(actor);
    const { facility: facilityId } = params;
    const { expected_version, name, code } = body;
    return acrossFacilities(() =>
      write('facility.update', async (tx) => {
        await lockMembers(tx, facilityId);
        const standing = await getFacility(tx, facilityId);
        if (standing.version !== expected_version) {
          throw new AppError('conflict', { message: 'Someone else changed the facility in the meantime.' });
        }
        const fields = (['name', 'code'] as const).filter((field) => body[field] !== standing[field]);
        if (fields.length === 0) return { result: standing, audit: null };
        const isNewCode = fields.includes('code');
        if (isNewCode) await requireFreeCode(tx, { code, facilityId });
        const version = expected_version + 1;
        const shared = isNewCode && { code_is_shared: false };
        const changed = { name, code, ...shared, version, updated_at: sql<Date>`now()` };
        await tx.updateTable('facilities').set(changed).where('id', '=', facilityId).execute();
        return { result: { ...standing, name, code, version }, audit: { facilityId, detail: { fields } } };
      }),
    );
  };
}
