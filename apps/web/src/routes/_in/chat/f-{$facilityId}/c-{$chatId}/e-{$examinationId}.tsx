import { createFileRoute } from '@tanstack/react-router';
import { requireIds } from '#/app/router/guards.ts';

/** The page of the facility draws the examination in its third pane, beside the chat. */
export const Route = createFileRoute('/_in/chat/f-{$facilityId}/c-{$chatId}/e-{$examinationId}')({
  beforeLoad: ({ params }) => requireIds(params.examinationId),
});
