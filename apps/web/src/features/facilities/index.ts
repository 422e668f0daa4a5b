/** Which facilities one belongs to and who else does. */
export { FacilitiesProvider, useFacilities, useFacility } from './facilities-context.tsx';
export { WaitingScreen } from './waiting-screen.tsx';
