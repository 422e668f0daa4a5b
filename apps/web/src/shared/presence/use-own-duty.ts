import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { dismissMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const DutyDialog = lazyPart(async () => (await import('./duty-dialog.tsx')).DutyDialog, { onMissing: dismissMissing });

/** Opens where one says oneself whether one is on duty; `current` is the facility it begins with. */
export function useOwnDuty(myId: string): (facilities: readonly Facility[], current?: string | undefined) => void {
  const overlays = useOverlays();
  return (facilities, current) => {
    const sorted = facilities.toSorted((a, b) => Number(b.id === current) - Number(a.id === current));
    void overlays.create(DutyDialog, { destroyOnClose: true }).open({ facilities: sorted, myId });
  };
}
