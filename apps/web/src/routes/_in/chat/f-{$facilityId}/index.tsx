import { createFileRoute } from '@tanstack/react-router';
import { NoChatOpen } from '#/features/chat/index.ts';
import { useFacility } from '#/features/facilities/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/chat/f-{$facilityId}/')({ component: NoChatPage });

function NoChatPage() {
  const facility = useFacility(Route.useParams().facilityId);
  usePageTitle(facility?.name ?? 'Chat');
  return facility && <NoChatOpen facility={facility} />;
}
