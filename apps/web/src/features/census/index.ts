/** The inpatient census: its four pages, which of them somebody may open, and its parts of the dashboard. */
export { CensusAlertAct } from './census-alert-act.tsx';
export { CensusOwed, CensusToday } from './census-dashboard.tsx';
export { censusPagesFor, facilityForCensus } from './census-pages.ts';
export { settingsPathFor } from './census-paths.ts';
export { CensusBoardScreen, CensusLogsScreen, CensusSummaryScreen, CensusUnitScreen } from './census-screens.tsx';
export { registerReports, reportsOnlyHere } from './register-reports.ts';
