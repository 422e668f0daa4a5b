import { createFileRoute } from '@tanstack/react-router';
import { CensusFacility } from '#/app/router/census-facility.tsx';
import { requirePermission } from '#/app/router/require-permission.ts';
import { CensusSummaryScreen } from '#/features/census/index.ts';

export const Route = createFileRoute('/_in/census-summary')({
  beforeLoad: requirePermission('census.report_summary'),
  component: () => <CensusFacility permission="census.report_summary" screen={CensusSummaryScreen} />,
});
