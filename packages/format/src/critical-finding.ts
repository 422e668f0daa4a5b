import type { CriticalFinding } from '@wardline/contract/chat/critical.ts';
import { formatQuantity } from './numbers.ts';

/** A finding in one line: `Potassium 6.8 mmol/L, HH`. */
export function formatCriticalFinding({ label, value, unit, interpretation }: CriticalFinding): string {
  return `${label} ${formatQuantity(value, unit?.label)}, ${interpretation}`;
}
