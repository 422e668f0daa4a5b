/** Administration of a facility: what is left to do until it can work, what it is called, and who may do what there. */
export { SetUpNotice } from './checklist-card.tsx';
export { FacilitySettingsScreen } from './facility-settings-screen.tsx';
