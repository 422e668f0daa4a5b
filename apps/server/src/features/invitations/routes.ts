import * as imports from '@wardline/contract/facilities/invitation-imports.ts';
import * as contract from '@wardline/contract/facilities/invitations.ts';
import { fileRoute, publicRoute, type Route, route } from '#/platform/http/route.ts';
import { type AcceptInvitationDeps, acceptInvitation } from './accept-invitation.ts';
import { createInvitation } from './create-invitation.ts';
import { exportInvitationImport } from './imports/export-import.ts';
import { importPeople } from './imports/import-people.ts';
import { listInvitationImports } from './imports/list-imports.ts';
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
    fileRoute(imports.importPeople, importPeople),
    route(imports.listInvitationImports, listInvitationImports),
    route(imports.exportInvitationImport, exportInvitationImport),
  ];
}
