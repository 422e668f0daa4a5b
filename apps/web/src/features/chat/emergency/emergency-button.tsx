import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Siren } from 'lucide-react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The two steps into a patient's chat; their code comes when they are first shown. */
export const EmergencyAccess = lazyPart(async () => (await import('./emergency-dialog.tsx')).EmergencyDialog, {
  onMissing: closeMissing,
});

/** Where somebody may open the chat of a patient that they are not in. */
export function emergencyFacilities(facilities: readonly Facility[]): Facility[] {
  return facilities.filter(({ permissions }) => permissions.includes('chats.break_glass'));
}

interface EmergencyButtonProps {
  readonly facilities: readonly Facility[];
  readonly onOpen: () => void;
}

/** The way there; nothing is shown to whoever may not. */
export function EmergencyButton({ facilities, onOpen }: EmergencyButtonProps) {
  if (emergencyFacilities(facilities).length === 0) return null;
  return (
    <Button variant="outline" color="neutral" icon={Siren} onClick={onOpen}>
      Emergency access to a patient’s chat
    </Button>
  );
}
