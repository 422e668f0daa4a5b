import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import {
  type getRoleUse as endpoint,
  MOST_USES_NAMED,
  type RoleUse,
} from '@wardline/contract/facilities/facility-settings.ts';
import { sql } from 'kysely';
import type { OidcProvider } from '#/platform/config/oidc-settings.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { mayManageRoles } from './save-role.ts';

export interface RoleUseDeps {
  /** Where people may sign in besides here, with the roles that their groups give. */
  readonly providers: readonly OidcProvider[];
}

interface UseRow extends Omit<RoleUse, 'groups'> {
  readonly role: string;
  readonly facility: string;
}

const useRows = typedRows<UseRow>({
  role: 'string',
  facility: 'string',
  holders: 'array',
  holder_count: 'number',
  invitations: 'array',
  invitation_count: 'number',
});

/** Who and what a role would be missed by, for who may remove it. */
export function getRoleUse({ providers }: RoleUseDeps) {
  return async (
    { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
    { params }: { params: ParamsOf<typeof endpoint> },
  ): Promise<RoleUse> => {
    mayManageRoles(actor, params.facility);
    const query = sql`
      with holder as (
        select u.id as user_id, u.name from membership_roles mr
        join memberships m on m.id = mr.membership_id and m.ended_at is null
        join users u on u.id = m.user_id and u.disabled_at is null
        where mr.role_id = ${params.role}
      ), open_invitation as (
        select i.id, i.note, i.title from invitation_roles ir
        join standing_invitations s on s.id = ir.invitation_id and s.used_at is null and s.expires_at > now()
        join invitations i on i.id = s.id
        where ir.role_id = ${params.role}
      )
      select r.name as role, f.code as facility,
        (select count(*)::integer from holder) as holder_count,
        coalesce((select json_agg(h) from (
          select * from holder order by name collate "und-x-icu", user_id limit ${MOST_USES_NAMED}) h), '[]') as holders,
        (select count(*)::integer from open_invitation) as invitation_count,
        coalesce((select json_agg(o) from (
          select * from open_invitation order by id desc limit ${MOST_USES_NAMED}) o), '[]') as invitations
      from roles r join facilities f on f.id = r.facility_id
      where r.id = ${params.role} and r.facility_id = ${params.facility}`;
    const found = await useRows.first(db, query);
    if (!found) throw new AppError('not_found');
    const { role, facility, ...use } = found;
    const groups = providers.flatMap(({ label, groups: given }) =>
      Object.entries(given)
        .filter(([, roles]) => roles.some((each) => each.facility === facility && each.role === role))
        .map(([group]) => ({ provider: label, group })),
    );
    return { ...use, groups };
  };
}
