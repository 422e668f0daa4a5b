import { isReason } from '@wardline/census/rules.ts';
import { refusal } from '#/shared/errors/refusal.ts';

export const TOO_SHORT = 'Enter a reason of at least 5 characters.';

/** What is no reason is refused at its field, before anything is sent. */
export function mustBeReason(reason: string, field = 'reason'): void {
  if (!isReason(reason)) throw refusal({ [field]: TOO_SHORT });
}
