/** Which facilities one belongs to, which one is looked at, and the page of somebody without any. */
export { FacilitiesProvider, useFacilities, useFacility } from './facilities-context.tsx';
export { useCurrentFacility } from './use-current-facility.ts';
export { WaitingScreen } from './waiting-screen.tsx';
