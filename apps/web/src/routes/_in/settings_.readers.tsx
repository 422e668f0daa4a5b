import { createFileRoute, Navigate } from '@tanstack/react-router';
import { ReadersScreen } from '#/features/audit/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/settings_/readers')({ component: ReadersRoute });

function ReadersRoute() {
  const facility = useCurrentFacility();
  return facility === null ? <Navigate to="/dashboard" replace /> : <ReadersScreen facility={facility} />;
}
