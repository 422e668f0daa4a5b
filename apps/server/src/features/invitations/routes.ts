import * as contract from '@wardline/contract/facilities/invitations.ts';
import { publicRoute, type Route, route } from '#/platform/http/route.ts';
import { type AcceptInvitationDeps, acceptInvitation } from './accept-invitation.ts';
import { createInvitation } from './create-invitation.ts';
import { listInvitations } from './list-invitations.ts';
import { listRoles } from './list-roles.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { showInvitation } from './show-invitation.ts';

export function routes(deps: AcceptInvitationDeps): Route[] {
  return [
    route(contract.listRoles, listRoles),
    route(contract.listInvitations, listInvitations),
    route(contract.createInvitation, createInvitation, { limit: 'opening' }),
    route(contract.revokeInvitation, revokeInvitation),
    publicRoute(contract.showInvitation, showInvitation(deps)),
    route(contract.acceptInvitation, acceptInvitation(deps)),
  ];
}
