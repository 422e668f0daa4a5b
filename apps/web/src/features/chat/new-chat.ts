import { lazy } from 'react';

/** The form of a new chat; its code comes when it is first shown. */
export const NewChat = lazy(async () => ({ default: (await import('./new-chat-dialog.tsx')).NewChatDialog }));
