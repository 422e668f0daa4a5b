import { createFileRoute } from '@tanstack/react-router';
import { meAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { SearchScreen } from '#/features/chat/index.ts';
import { useFacilities } from '#/features/facilities/index.ts';

export const Route = createFileRoute('/_in/search')({ component: SearchPage });

function SearchPage() {
  return <SearchScreen me={meAt(useUser())} facilities={useFacilities()} />;
}
