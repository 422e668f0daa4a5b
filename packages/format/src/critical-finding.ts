import { formatQuantity } from './numbers.ts';

interface Finding {
  readonly label: string;
  readonly value: string;
  readonly unit: { readonly label: string } | null;
  readonly interpretation: string;
}

/** A critical finding in one line: `Potassium 6.8 mmol/L, HH`. */
export function formatCriticalFinding({ label, value, unit, interpretation }: Finding): string {
  return `${label} ${formatQuantity(value, unit?.label)}, ${interpretation}`;
}
