/** The administration of the installation: facilities, accounts, jobs, mail, health, and what is the matter with it. */
export { SystemScreen } from './system-screen.tsx';
export { SystemNotice } from './warnings.tsx';
