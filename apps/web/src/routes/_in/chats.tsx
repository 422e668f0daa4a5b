import { createFileRoute } from '@tanstack/react-router';
import { meAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { ChatsScreen } from '#/features/chat/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/chats')({ component: ChatsPage });

function ChatsPage() {
  usePageTitle('Chats');
  return <ChatsScreen me={meAt(useUser())} facilities={useFacilities()} facilityId={useCurrentFacility()?.id} />;
}
