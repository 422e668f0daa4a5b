/** Links with which people join a facility: made, listed, revoked, and taken. */
export { InvitationsPanel } from './invitations-panel.tsx';
export { JoinDialog } from './join-dialog.tsx';
