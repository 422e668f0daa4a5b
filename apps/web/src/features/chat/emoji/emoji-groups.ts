import keywords from 'emojilib';
import { hasEveryWord } from '#/shared/forms/search-text.ts';

export interface Emoji {
  readonly sign: string;
  readonly name: string;
}

/** In the order of the list each group begins with a sign of its own; Unicode's of 2020 to 2022 stand after the flags. */
const GROUPS = [
  { first: '😀', label: 'Smileys' },
  { first: '👋', label: 'People' },
  { first: '🐵', label: 'Animals and nature' },
  { first: '🍇', label: 'Food and drink' },
  { first: '🌍', label: 'Travel and places' },
  { first: '🎃', label: 'Activities' },
  { first: '👓', label: 'Objects' },
  { first: '🏧', label: 'Symbols' },
  { first: '🏁', label: 'Flags' },
  { first: '🥲', label: 'Newer ones' },
] as const;
/** What follows was added since 2023: many devices cannot draw it. */
const LAST = '🛜';
const MOST_FOUND = 96;

const signs = Object.keys(keywords);
const known = signs.slice(0, signs.indexOf(LAST) + 1);

const wordsOf = (sign: string): readonly string[] => (keywords[sign] ?? []).map((word) => word.replaceAll('_', ' '));
const nameOf = (sign: string): string => wordsOf(sign)[0] ?? sign;
const named = (sign: string): Emoji => ({ sign, name: nameOf(sign) });

/** All that can be chosen. */
export const emojiGroups = GROUPS.map(({ first, label }, index) => {
  const next = GROUPS[index + 1]?.first;
  const end = next === undefined ? known.length : known.indexOf(next);
  return { first, label, emoji: known.slice(known.indexOf(first), end).map(named) };
});

/** Those that have every word of the search in their names or in what else they are called, the most 96. */
export function findEmoji(search: string): readonly Emoji[] {
  const fitting = known.filter((sign) => hasEveryWord(wordsOf(sign).join(' '), search));
  // Whose name begins with the search is meant before one that is only told by it.
  const isNamed = (sign: string) => nameOf(sign).startsWith(search.trim().toLowerCase());
  return [...fitting.filter(isNamed), ...fitting.filter((sign) => !isNamed(sign))].slice(0, MOST_FOUND).map(named);
}
