/** The inpatient census: its four pages, which of them somebody may open, and its parts of the dashboard. */
export { CensusOwed, CensusToday } from './census-dashboard.tsx';
export { censusPagesFor, facilityForCensus } from './census-pages.ts';
export { CensusBoardScreen, CensusLogsScreen, CensusSummaryScreen, CensusUnitScreen } from './census-screens.tsx';
export { registerReports } from './register-reports.ts';
