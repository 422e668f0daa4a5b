import { isReason, SHORTEST_REASON } from '@wardline/census/rules.ts';
import { brokenRule } from '../broken-rules.ts';

/** An act that takes something from somebody says why (CEN-R19). */
export function guardReason(reason: string): void {
  if (isReason(reason)) return;
  const message = `Enter a reason of at least ${SHORTEST_REASON} characters.`;
  throw brokenRule({ code: 'REASON_REQUIRED', field: 'reason', message });
}
