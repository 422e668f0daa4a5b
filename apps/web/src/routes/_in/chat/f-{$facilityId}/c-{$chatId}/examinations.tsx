import { createFileRoute } from '@tanstack/react-router';

/** The page of the facility draws the examinations of a chat in its third pane, where a new one is begun. */
export const Route = createFileRoute('/_in/chat/f-{$facilityId}/c-{$chatId}/examinations')({});
