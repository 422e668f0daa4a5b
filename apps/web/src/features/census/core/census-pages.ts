/** The four pages of the census and the permission each is behind (NAV-5). */
export const CENSUS_PAGES = [
  { path: '/census', label: 'Board', permission: 'census.view' },
  { path: '/census-unit', label: 'Unit report', permission: 'census.report_units' },
  { path: '/census-summary', label: 'Summary', permission: 'census.report_summary' },
  { path: '/census-logs', label: 'Logs', permission: 'census.logs' },
] as const;

export type CensusPath = (typeof CENSUS_PAGES)[number]['path'];

/** The pages a person with these permissions may open, in their order. */
export function censusPagesFor(permissions: readonly string[]) {
  return CENSUS_PAGES.filter(({ permission }) => permissions.includes(permission));
}

/** The facility a census page shows: the current one where the permission holds there, else the first where it does. */
export function facilityForCensus<Place extends { readonly id: string; readonly permissions: readonly string[] }>(
  facilities: readonly Place[],
  currentId: string | undefined,
  permission: string,
): Place | undefined {
  const allowed = facilities.filter(({ permissions }) => permissions.includes(permission));
  return allowed.find(({ id }) => id === currentId) ?? allowed[0];
}
