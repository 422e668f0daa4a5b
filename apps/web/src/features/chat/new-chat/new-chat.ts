import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The form of a new chat; its code comes when it is first shown. */
export const NewChat = lazyPart(async () => (await import('./new-chat-dialog.tsx')).NewChatDialog, {
  onMissing: closeMissing,
});
