import {
  type CensusSettings,
  deleteCensusUnit,
  updateCensusSettings,
  updateCensusUnit,
} from '@wardline/contract/census/settings.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { createContext, use, useEffect } from 'react';
import type { SaveSettings } from './use-settings.ts';

/** Which parts of the page hold something that was typed and not saved. */
export type Unsaved = Set<string>;

interface SettingsPlace {
  readonly facility: Facility;
  readonly settings: CensusSettings;
  /** What is lacking to change anything now; null where nothing is. */
  readonly lacks: 'permission' | 'network' | null;
  readonly save: SaveSettings;
  readonly unsaved: Unsaved;
}

export const SettingsContext = createContext<SettingsPlace | null>(null);

/** The settings that the page shows, and how they are saved. */
export function useSettingsPlace(): SettingsPlace {
  const place = use(SettingsContext);
  if (!place) throw new Error('There are no settings here.');
  return place;
}

type ChangeOf<Body> = Omit<Body, 'version'>;

/** Sends a change of the facility's own settings. */
export function useSaveFacility(): (change: ChangeOf<BodyOf<typeof updateCensusSettings>>) => Promise<void> {
  const { facility, save } = useSettingsPlace();
  return (change) =>
    save((call, version) =>
      call(updateCensusSettings, { params: { facility: facility.id }, body: { ...change, version } }),
    );
}

/** Sends a change of one unit's settings. */
export function useSaveUnit(unitId: string): (change: ChangeOf<BodyOf<typeof updateCensusUnit>>) => Promise<void> {
  const { facility, save } = useSettingsPlace();
  return (change) =>
    save((call, version) =>
      call(updateCensusUnit, { params: { facility: facility.id, unit: unitId }, body: { ...change, version } }),
    );
}

/** Deletes a unit; the server refuses it where something refers to the unit. */
export function useDeleteUnit(unitId: string): () => Promise<void> {
  const { facility, save } = useSettingsPlace();
  return () =>
    save((call, version) =>
      call(deleteCensusUnit, { params: { facility: facility.id, unit: unitId }, body: { version } }),
    );
}

/** Notes that a part of the page holds something unsaved, for as long as it does. */
export function useNoteUnsaved(id: string, isUnsaved: boolean): void {
  const { unsaved } = useSettingsPlace();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.add(id);
    return () => {
      unsaved.delete(id);
    };
  }, [unsaved, id, isUnsaved]);
}
