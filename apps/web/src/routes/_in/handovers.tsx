import { createFileRoute, Navigate } from '@tanstack/react-router';
import { useUser } from '#/features/auth/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { HandoverListScreen } from '#/features/handovers/index.ts';

export const Route = createFileRoute('/_in/handovers')({ component: HandoversPage });

function HandoversPage() {
  const facility = useCurrentFacility();
  const facilities = useFacilities();
  const { id } = useUser();
  if (facility === null) return <Navigate to="/dashboard" replace />;
  return <HandoverListScreen facility={facility} facilities={facilities} myId={id} />;
}
