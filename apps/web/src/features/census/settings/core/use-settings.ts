import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { listCensusLog } from '@wardline/contract/census/logs.ts';
import { type CensusSettings, getCensusSettings } from '@wardline/contract/census/settings.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { whatChanged } from './settings-changes.ts';

const keyOf = (facilityId: string) => ['census-settings', facilityId] as const;
const MOST_CHANGES = 20;

/** How the facility takes its census, as it was when the page was opened or last saved. */
export function useSettings(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: keyOf(facilityId),
    queryFn: ({ signal }) => call(getCensusSettings, { params: { facility: facilityId }, signal }),
    // What somebody types belongs to the version they saw: it is never exchanged under their hands, nor shown from before.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Shows what the server has now. */
export function useReloadSettings(facilityId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.refetchQueries({ queryKey: keyOf(facilityId) });
}

/** Sends a change of the version that is shown; the page goes on with the answer. */
export type SaveSettings = (send: (call: Call, version: number) => Promise<CensusSettings>) => Promise<void>;

/**
 * Saves changes. Where somebody else was faster (409) it says who changed what, and the page goes on with that; what was
 * typed over it stays.
 */
export function useSaveSettings(facility: Facility): SaveSettings {
  const call = useCall();
  const queries = useQueryClient();
  const key = keyOf(facility.id);
  return async (send) => {
    const seen = queries.getQueryData<CensusSettings>(key);
    if (!seen) throw new Error('There are no settings to save.');
    try {
      queries.setQueryData(key, await send(call, seen.version));
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      const now = await call(getCensusSettings, { params: { facility: facility.id } });
      const who = await whoChanged(call, facility, now.version - seen.version);
      queries.setQueryData(key, now);
      const text = [
        `${who} saved first.`,
        ...whatChanged(seen, now),
        'What you entered is still here: check it, then save again.',
      ];
      throw new ApiError(text.join(' '), { status: 409, code: 'conflict' });
    }
  };
}

/** Who made the last changes, for those who may read the log. */
async function whoChanged(call: Call, facility: Facility, changes: number): Promise<string> {
  if (!facility.permissions.includes('census.logs')) return 'Someone else';
  try {
    const query = { action: 'settings.change' as const, limit: MOST_CHANGES };
    const { data } = await call(listCensusLog, { params: { facility: facility.id }, query });
    const done = data.filter(({ outcome }) => outcome === 'done').slice(0, changes);
    return [...new Set(done.map(({ actor_name }) => actor_name))].join(' and ') || 'Someone else';
  } catch {
    return 'Someone else';
  }
}
