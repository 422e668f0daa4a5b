/** Which facilities one belongs to, which one is looked at, and the page of somebody without any. */
export { FacilitiesProvider, useFacilities, useFacility } from './facilities-context.tsx';
export { InvitationLost, WaitingScreen } from './facilities-screens.tsx';
export { useCurrentFacility, usePermittedFacility } from './use-current-facility.ts';
