import { createFileRoute, Navigate } from '@tanstack/react-router';
import { LaboratoryScreen } from '#/features/examinations/index.ts';
import { usePermittedFacility } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/settings_/laboratory')({ component: LaboratoryRoute });

/** Who neither assigns results nor sets a facility up is led to /403. */
function LaboratoryRoute() {
  const [assigns, manages] = [usePermittedFacility('results.assign'), usePermittedFacility('facility.manage')];
  const facility = assigns ?? manages;
  return facility ? <LaboratoryScreen key={facility.id} facility={facility} /> : <Navigate to="/403" replace />;
}
