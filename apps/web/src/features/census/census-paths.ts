/** The census settings: a view of the board's page. */
export const SETTINGS_PATH = '/census?view=settings';

/** The address of a report. */
export function reportPath(place: { readonly unit: string; readonly date: string; readonly class: string }): string {
  const { unit, date, class: of } = place;
  return `/census-unit?${new URLSearchParams({ unit, date, class: of })}`;
}

/** Where the talk about a report is. */
export function threadPath(facilityId: string, chatId: string): string {
  return `/chat/f-${facilityId}/c-${chatId}`;
}
