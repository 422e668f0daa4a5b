/** The inpatient census: its four pages, which of them somebody may open, and its parts of the dashboard. */
export { CensusAlertAct } from './census-alert-act.tsx';
export { CensusOwed, CensusToday } from './census-dashboard.tsx';
export { CensusBoardScreen, CensusLogsScreen, CensusSummaryScreen, CensusUnitScreen } from './census-screens.tsx';
export { censusPagesFor, facilityForCensus } from './core/census-pages.ts';
export { settingsPathFor } from './core/census-paths.ts';
export { registerReports, reportsOnlyHere } from './report/engine/register-reports.ts';
