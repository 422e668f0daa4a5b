import { createFileRoute } from '@tanstack/react-router';
import { CensusFacility } from '#/app/router/census-facility.tsx';
import { requirePermission } from '#/app/router/require-permission.ts';
import { CensusUnitScreen } from '#/features/census/index.ts';

export const Route = createFileRoute('/_in/census-unit')({
  beforeLoad: requirePermission('census.report_units'),
  component: () => <CensusFacility permission="census.report_units" screen={CensusUnitScreen} />,
});
