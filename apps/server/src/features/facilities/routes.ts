import * as facilities from '@wardline/contract/facilities/facilities.ts';
import * as settings from '@wardline/contract/facilities/facility-settings.ts';
import * as members from '@wardline/contract/facilities/members.ts';
import * as system from '@wardline/contract/facilities/system-facilities.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getFacilitySettings, updateFacility } from './facility-settings.ts';
import { listFacilities } from './list-facilities.ts';
import { listUnits } from './list-units.ts';
import { giveRole, takeRole } from './members/change-roles.ts';
import { getMember } from './members/get-member.ts';
import { listDeletedMembers } from './members/list-deleted-members.ts';
import { listMembers } from './members/list-members.ts';
import { type RemoveMemberDeps, removeMember } from './members/remove-member.ts';
import { setMemberPhone } from './members/set-member-phone.ts';
import { setMemberTitle } from './members/set-member-title.ts';
import { deleteRole } from './roles/delete-role.ts';
import { getRoleUse, type RoleUseDeps } from './roles/get-role-use.ts';
import { createRole, updateRole } from './roles/save-role.ts';
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
    route(members.setMemberTitle, setMemberTitle),
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
