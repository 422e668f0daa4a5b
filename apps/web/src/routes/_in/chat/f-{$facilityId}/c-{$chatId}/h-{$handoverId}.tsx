import { createFileRoute } from '@tanstack/react-router';
import { requireIds } from '#/app/router/guards.ts';

/** The page of the facility draws the hand-over in its third pane, beside the chat; by the chat's own id the one that is being written. */
export const Route = createFileRoute('/_in/chat/f-{$facilityId}/c-{$chatId}/h-{$handoverId}')({
  beforeLoad: ({ params }) => requireIds(params.handoverId),
});
