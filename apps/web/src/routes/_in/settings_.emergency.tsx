import { createFileRoute, Navigate } from '@tanstack/react-router';
import { EmergencyScreen } from '#/features/audit/index.ts';
import { usePermittedFacility } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/settings_/emergency')({ component: EmergencyRoute });

/** Who may see the audit of no facility is led to /403. */
function EmergencyRoute() {
  const facility = usePermittedFacility('audit.view');
  return facility ? <EmergencyScreen key={facility.id} facility={facility} /> : <Navigate to="/403" replace />;
}
