import { useEffect, useSyncExternalStore } from 'react';
import { type ColourModeState, type ColourPreference, colourMode } from '#/colour-mode/colour-mode.ts';

const SERVER_STATE: ColourModeState = { preference: 'system', forced: undefined, mode: 'light' };

/** What is chosen, what is forced, what is seen, and the way to choose. */
export function useColourMode(): ColourModeState & { set: (preference: ColourPreference) => void } {
  const state = useSyncExternalStore(
    (listener) => colourMode().subscribe(listener),
    () => colourMode().get(),
    () => SERVER_STATE,
  );
  return { ...state, set: (preference) => colourMode().set(preference) };
}

/** Forces a mode while the page is mounted and gives the choice back after it. */
export function useForcedColourMode(mode: ColourPreference | undefined): void {
  useEffect(() => {
    if (mode === undefined) return;
    colourMode().force(mode);
    return () => colourMode().force(undefined);
  }, [mode]);
}
