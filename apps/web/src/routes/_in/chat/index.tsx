import { createFileRoute, Navigate } from '@tanstack/react-router';
import { ChatFacilitiesScreen } from '#/features/chat/index.ts';
import { useFacilities } from '#/features/facilities/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/chat/')({ component: ChatPage });

function ChatPage() {
  usePageTitle('Chat');
  const facilities = useFacilities();
  const [only, second] = facilities;
  if (only && !second) return <Navigate to="/chat/f-{$facilityId}" params={{ facilityId: only.id }} replace />;
  return <ChatFacilitiesScreen facilities={facilities} />;
}
