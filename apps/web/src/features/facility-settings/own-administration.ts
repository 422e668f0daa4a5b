import type { Permission } from '@wardline/contract/permissions.ts';
import type { Question } from '#/shared/forms/dialogs/confirm-dialog.tsx';
import { PERMISSION_LABELS } from './permission-labels.ts';

const ADMINISTERING: readonly Permission[] = ['members.manage', 'facility.manage'];

interface OwnChange {
  /** What one is about to take from oneself. */
  readonly taken: readonly string[];
  /** What one's other roles go on giving. */
  readonly kept: readonly string[];
  readonly facilityName: string;
}

/** What is asked before one takes one's own administration away; null where none of it goes. */
export function ownAdministrationQuestion({ taken, kept, facilityName }: OwnChange): Question | null {
  const lost = ADMINISTERING.filter((permission) => taken.includes(permission) && !kept.includes(permission));
  if (lost.length === 0) return null;
  const acts = lost.map((permission) => PERMISSION_LABELS[permission]).join(', or ');
  return {
    title: 'Give up your own administration?',
    description: `At once you may no longer ${acts} at ${facilityName}. Only another administrator can give it back to you.`,
    confirmLabel: 'Give up',
    onConfirm: async () => undefined,
  };
}
