import { hasEveryWord, plainText } from '#/shared/forms/search-text.ts';

/** One line of the palette. */
export interface PaletteEntry {
  /** Unique among all lines. */
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** Further words that find it. */
  readonly also?: string | undefined;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly title: 'Pages' | 'Chats' | 'Facilities' | 'People' | 'Messages' | 'Commands';
  readonly entries: readonly PaletteEntry[];
}

const MOST_PER_GROUP = 8;

/** The lines in which every word typed occurs, those that begin with it first; case and accents do not matter. */
export function matchEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const search = plainText(typed).trim();
  const found = entries.filter(({ label, detail, also }) =>
    hasEveryWord(`${label} ${detail ?? ''} ${also ?? ''}`, search),
  );
  const beginsWithIt = ({ label }: PaletteEntry) => plainText(label).startsWith(search);
  return [...found.filter(beginsWithIt), ...found.filter((entry) => !beginsWithIt(entry))].slice(0, MOST_PER_GROUP);
}

/**
 * The line that Enter takes: the first with a word that begins with what was typed; `isSure` where there is one. A message has so
 * many words that one of them always fits: it is taken where there is nothing else.
 */
export function bestEntry(
  groups: readonly PaletteGroup[],
  typed: string,
): { readonly entry: PaletteEntry | undefined; readonly isSure: boolean } {
  const named = groups.filter(({ title }) => title !== 'Messages');
  const entries = (named.length > 0 ? named : groups).flatMap((group) => group.entries);
  const search = plainText(typed).trim();
  const sure = entries.find(({ label }) => ` ${plainText(label)}`.includes(` ${search}`));
  return { entry: sure ?? entries[0], isSure: sure !== undefined };
}
