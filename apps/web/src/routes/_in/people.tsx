import { createFileRoute, Navigate } from '@tanstack/react-router';
import { useUser } from '#/features/auth/index.ts';
import { personPath, rememberPerson, rolePath } from '#/features/chat/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { PeopleScreen } from '#/features/people/index.ts';
import { useQueries } from '#/shared/queries/queries-context.ts';

export const Route = createFileRoute('/_in/people')({ component: PeoplePage });

function PeoplePage() {
  const facility = useCurrentFacility();
  const facilities = useFacilities();
  const queries = useQueries();
  const { id } = useUser();
  if (facility === null) return <Navigate to="/dashboard" replace />;
  return (
    <PeopleScreen
      facility={facility}
      facilities={facilities}
      myId={id}
      hrefOf={personPath}
      roleHrefOf={rolePath}
      onOpen={(facilityId, person) =>
        rememberPerson(queries, facilityId, { ...person, avatar_url: person.avatar_url ?? null })
      }
    />
  );
}
