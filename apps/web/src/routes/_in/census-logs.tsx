import { createFileRoute } from '@tanstack/react-router';
import { CensusFacility } from '#/app/router/census-facility.tsx';
import { requirePermission } from '#/app/router/require-permission.ts';
import { CensusLogsScreen } from '#/features/census/index.ts';

export const Route = createFileRoute('/_in/census-logs')({
  beforeLoad: requirePermission('census.logs'),
  component: () => <CensusFacility permission="census.logs" screen={CensusLogsScreen} />,
});
