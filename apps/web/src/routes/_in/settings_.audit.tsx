import { createFileRoute, Navigate } from '@tanstack/react-router';
import { AuditScreen } from '#/features/audit/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/settings_/audit')({ component: AuditRoute });

/** Of the facility in view, where that may be seen; else of the first that may; who may see none is led to /403. */
function AuditRoute() {
  const mine = useFacilities().filter(({ permissions }) => permissions.includes('audit.view'));
  const current = useCurrentFacility();
  const facility = mine.find(({ id }) => id === current?.id) ?? mine[0];
  return facility ? <AuditScreen key={facility.id} facility={facility} /> : <Navigate to="/403" replace />;
}
