/** The inpatient census: its four pages, and which of them somebody may open. */
export { censusPagesFor, facilityForCensus } from './census-pages.ts';
export { CensusBoardScreen, CensusLogsScreen, CensusSummaryScreen, CensusUnitScreen } from './census-screens.tsx';
