import { COUNT_FIELDS, type CountField } from '@wardline/contract/census/census.ts';
import type { LogChange } from './log-changes.ts';

/** So many changes are said in a sentence; the table under it has all. */
const SAID = 3;

/** The first changes, each in its words, and ' and 2 more' where there are more. */
export function firstChanges(changes: readonly LogChange[]): { readonly first: string[]; readonly rest: string } {
  const rest = changes.length - SAID;
  return { first: changes.slice(0, SAID).map(formatChange), rest: rest > 0 ? ` and ${rest} more` : '' };
}

/** 'discharges 4 → 5'; of a long text only that it changed. */
export function formatChange({ key, label, before, after }: LogChange): string {
  const said = (COUNT_FIELDS as readonly string[]).includes(key as CountField) ? lowered(label) : formatName(label);
  if (isShort(before) && isShort(after)) return `${said} ${before} → ${after}`;
  return said.startsWith('why ') ? said : `the ${said}`;
}

/** A label within a sentence: its first letter small, unless it begins with a short form such as 'RN'. */
export function formatName(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? lowered(label) : label;
}

function lowered(label: string): string {
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

function isShort(text: string): boolean {
  return text.length <= 24;
}
