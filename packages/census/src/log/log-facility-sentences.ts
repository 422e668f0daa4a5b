import { type About, type LogSentenceInput, type Piece, strong } from './log-about.ts';
import { firstChanges } from './log-change-labels.ts';
import { changesOf } from './log-changes.ts';

/** A day of the facility was signed. */
export function signed({ who, spot, after, because }: About): Piece[] {
  const { units_submitted: given, units_expected: expected, transfer_gap: gap } = after;
  const entry = [
    ...(typeof given === 'number' && typeof expected === 'number' ? [`${given} of ${expected} units`] : []),
    ...(typeof gap === 'number' ? [`transfer gap ${gap}`] : []),
  ].join(', ');
  const end = entry === '' ? because : `: ${entry}${because.replace(': ', ', accepted: ')}`;
  return [`${who} signed${after.status === 'locked' ? ' and locked' : ''} `, ...spot, end];
}

/** Settings were changed, of the facility or of a unit. */
export function configured({ who, unit, entry, because }: About): Piece[] {
  if (entry.after?.['unit_code'] === null) return [`${who} deleted the unit `, unit];
  const changes = changesOf(entry).filter(({ isComputed }) => !isComputed);
  const of = entry.unit_code === null ? [] : [' of ', unit];
  if (changes.length === 0) return [`${who} changed the settings`, ...of, because];
  const { first, rest } = firstChanges(changes);
  return [`${who} changed the settings`, ...of, `: ${first.join(', ')}${rest}${because}`];
}

/** ': discharges 4 → 5', as far as it is told. */
export function formatProposed(entry: LogSentenceInput): Piece[] {
  const changes = changesOf(entry);
  if (changes.length === 0) return [];
  const { first, rest } = firstChanges(changes);
  return [': ', strong(first.join(', ')), rest];
}
