import { createFileRoute } from '@tanstack/react-router';
import { CensusFacility } from '#/app/router/census-facility.tsx';
import { requirePermission } from '#/app/router/require-permission.ts';
import { CensusBoardScreen } from '#/features/census/index.ts';

export const Route = createFileRoute('/_in/census')({
  beforeLoad: requirePermission('census.view'),
  component: () => <CensusFacility permission="census.view" screen={CensusBoardScreen} />,
});
