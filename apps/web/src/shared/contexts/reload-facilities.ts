import { createContext, use } from 'react';

/** Asks anew for the list of one's facilities, which every page knows; for who has changed one of them. */
export const ReloadFacilitiesContext = createContext<() => Promise<void>>(() => Promise.resolve());

export function useReloadFacilities(): () => Promise<void> {
  return use(ReloadFacilitiesContext);
}
