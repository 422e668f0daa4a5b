import { type About, type Piece, type SentenceFacts, strong } from './log-about.ts';
import { firstChanges } from './log-change-words.ts';
import { changesOf } from './log-changes.ts';

/** A day of the facility was signed. */
export function signed({ who, spot, after, because }: About): Piece[] {
  const { units_submitted: given, units_expected: expected, transfer_gap: gap } = after;
  const facts = [
    ...(typeof given === 'number' && typeof expected === 'number' ? [`${given} of ${expected} units`] : []),
    ...(typeof gap === 'number' ? [`transfer gap ${gap}`] : []),
  ].join(', ');
  const end = facts === '' ? because : `: ${facts}${because.replace(': ', ', accepted: ')}`;
  return [`${who} signed${after.status === 'locked' ? ' and locked' : ''} `, ...spot, end];
}

/** Settings were changed, of the facility or of a unit. */
export function configured({ who, unit, facts, because }: About): Piece[] {
  const changes = changesOf(facts).filter(({ isComputed }) => !isComputed);
  const of = facts.unit_code === null ? [] : [' of ', unit];
  if (changes.length === 0) return [`${who} changed the settings`, ...of, because];
  const { first, rest } = firstChanges(changes);
  return [`${who} changed the settings`, ...of, `: ${first.join(', ')}${rest}${because}`];
}

/** ': discharges 4 → 5', as far as it is told. */
export function proposedWords(facts: SentenceFacts): Piece[] {
  const changes = changesOf(facts);
  if (changes.length === 0) return [];
  const { first, rest } = firstChanges(changes);
  return [': ', strong(first.join(', ')), rest];
}
