import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The pictures of a chat over the whole screen, from a message or from what stands beside the chat. */
export const ChatPictures = lazyPart(async () => (await import('./chat-pictures.tsx')).ChatPictures, {
  onMissing: closeMissing,
});
