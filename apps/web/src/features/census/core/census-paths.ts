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
export function reportPath(place: { readonly unit: string; readonly date: string; readonly class: string }): string {
  const { unit, date, class: of } = place;
  return `/census-unit?${new URLSearchParams({ unit, date, class: of })}`;
}

/** Where the talk about a report is. */
export function discussionPath(facilityId: string, chatId: string): string {
  return `/chat/f-${facilityId}/c-${chatId}`;
}
