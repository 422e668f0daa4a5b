import { Navigate, useLocation } from '@tanstack/react-router';
import { FormsScreen } from '#/features/examinations/index.ts';
import { usePermittedFacility } from '#/features/facilities/index.ts';

/** The examination forms of the facility one is in, or of the first that one administers; one of them where the address names it. */
export function FormsPage() {
  const formId = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('form') });
  const facility = usePermittedFacility('facility.manage');
  if (!facility) return <Navigate to="/403" replace />;
  return <FormsScreen key={facility.id} facility={facility} formId={formId} />;
}
