import * as contract from '@wardline/contract/facilities.ts';
import { setMemberPhone as setMemberPhoneEndpoint } from '@wardline/contract/phones.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { getMember } from './get-member.ts';
import { listFacilities } from './list-facilities.ts';
import { listMembers } from './list-members.ts';
import { listUnits } from './list-units.ts';
import { type RemoveMemberDeps, removeMember } from './remove-member.ts';
import { setMemberPhone } from './set-member-phone.ts';

export function routes(deps: RemoveMemberDeps): Route[] {
  return [
    route(contract.listFacilities, listFacilities),
    route(contract.listMembers, listMembers),
    route(contract.getMember, getMember),
    route(setMemberPhoneEndpoint, setMemberPhone),
    route(contract.listUnits, listUnits),
    route(contract.removeMember, removeMember(deps)),
  ];
}
