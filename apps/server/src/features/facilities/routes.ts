import * as facilities from '@wardline/contract/facilities/facilities.ts';
import * as settings from '@wardline/contract/facilities/facility-settings.ts';
import * as members from '@wardline/contract/facilities/members.ts';
import * as system from '@wardline/contract/facilities/system-facilities.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { giveRole, takeRole } from './change-roles.ts';
import { deleteRole } from './delete-role.ts';
import { getFacilitySettings, updateFacility } from './facility-settings.ts';
import { getMember } from './get-member.ts';
import { getRoleUse, type RoleUseDeps } from './get-role-use.ts';
import { listDeletedMembers } from './list-deleted-members.ts';
import { listFacilities } from './list-facilities.ts';
import { listMembers } from './list-members.ts';
import { listUnits } from './list-units.ts';
import { type RemoveMemberDeps, removeMember } from './remove-member.ts';
import { createRole, updateRole } from './save-role.ts';
import { setMemberPhone } from './set-member-phone.ts';
import { setPolicies } from './set-policies.ts';
import { createFacility, type SystemFacilityDeps } from './system/create-facility.ts';
import { closeFacility, reopenFacility } from './system/deactivate-facility.ts';
import { inviteFacilityAdministrator } from './system/invite-administrator.ts';
import { listAllFacilities } from './system/list-all-facilities.ts';
import { renameFacility } from './system/rename-facility.ts';

export function routes(deps: RemoveMemberDeps & RoleUseDeps & SystemFacilityDeps): Route[] {
  return [
    route(facilities.listFacilities, listFacilities),
    route(members.listMembers, listMembers),
    route(members.listDeletedMembers, listDeletedMembers),
    route(members.getMember, getMember),
    route(members.setMemberPhone, setMemberPhone),
    route(facilities.listUnits, listUnits),
    route(members.removeMember, removeMember(deps)),
    route(settings.getFacilitySettings, getFacilitySettings),
    route(settings.updateFacility, updateFacility),
    route(settings.setFacilityPolicies, setPolicies(deps)),
    route(settings.createRole, createRole),
    route(settings.updateRole, updateRole(deps)),
    route(settings.getRoleUse, getRoleUse(deps)),
    route(settings.deleteRole, deleteRole(deps)),
    route(settings.giveRole, giveRole(deps)),
    route(settings.takeRole, takeRole(deps)),
    route(system.listAllFacilities, listAllFacilities),
    route(system.createFacility, createFacility(deps), { limit: 'opening' }),
    route(system.renameFacility, renameFacility(deps)),
    route(system.inviteAdministrator, inviteFacilityAdministrator(deps), { limit: 'opening' }),
    route(system.deactivateFacility, closeFacility(deps)),
    route(system.reopenFacility, reopenFacility(deps)),
  ];
}
