import type { Invitation } from '@wardline/contract/facilities/invitations.ts';
import type { InvitationRow } from './core/queries.ts';

export function toInvitation(row: InvitationRow): Invitation {
  return { ...row, created_at: row.created_at.toISOString(), expires_at: row.expires_at.toISOString() };
}
