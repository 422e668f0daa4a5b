/** The audit log of a facility, what was opened in an emergency, and who opened one's own chats. */
export { AuditScreen, EmergenciesWaiting, EmergencyScreen, ReadersScreen } from './audit-screens.tsx';
