import { createFileRoute, Navigate } from '@tanstack/react-router';
import { AuditScreen } from '#/features/audit/index.ts';
import { usePermittedFacility } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/settings_/audit')({ component: AuditRoute });

/** Who may see the audit of no facility is led to /403. */
function AuditRoute() {
  const facility = usePermittedFacility('audit.view');
  return facility ? <AuditScreen key={facility.id} facility={facility} /> : <Navigate to="/403" replace />;
}
