import { createFileRoute } from '@tanstack/react-router';
import { useUser } from '#/features/auth/index.ts';
import { ChatsScreen } from '#/features/chat/index.ts';
import { useFacilities } from '#/features/facilities/index.ts';
import { usePageTitle } from '#/page/page-title.ts';

export const Route = createFileRoute('/_in/chats')({ component: ChatsPage });

function ChatsPage() {
  usePageTitle('Chats');
  return <ChatsScreen me={useUser()} facilities={useFacilities()} />;
}
