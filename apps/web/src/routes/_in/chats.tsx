import { createFileRoute } from '@tanstack/react-router';
import { meAt } from '#/app/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { ChatsScreen } from '#/features/chat/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';
import { usePageTitle } from '#/page/page-title.ts';

export const Route = createFileRoute('/_in/chats')({ component: ChatsPage });

function ChatsPage() {
  usePageTitle('Chats');
  return <ChatsScreen me={meAt(useUser())} facilities={useFacilities()} facilityId={useCurrentFacility()?.id} />;
}
