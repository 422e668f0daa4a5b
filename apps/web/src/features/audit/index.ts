/** The audit log of a facility, and who opened one's own chats. */
export { AuditScreen, ReadersScreen } from './audit-screens.tsx';
