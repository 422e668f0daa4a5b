import { type CensusPath, censusPagesFor } from './census-pages.ts';

/** The settings as a view of a page. */
export function settingsPathOf(page: CensusPath): string {
  return `${page}?view=settings`;
}

/** Where these permissions read the settings: on the board, else on the summary, whose permission changes them too; else nowhere. */
export function settingsPathFor(permissions: readonly string[]): string | null {
  const page = censusPagesFor(permissions).find(({ path }) => path === '/census' || path === '/census-summary');
  return page ? settingsPathOf(page.path) : null;
}

/** The address of a report. */
export function reportPath(place: {
  readonly unit: string;
  readonly date: string;
  readonly population: string;
}): string {
  const { unit, date, population: of } = place;
  return `/census-unit?${new URLSearchParams({ unit, date, population: of })}`;
}

/** Where the discussion about a report is. */
export function discussionPath(facilityId: string, chatId: string): string {
  return `/chat/f-${facilityId}/c-${chatId}`;
}
