import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, Nothing, Page } from '../values.ts';
import { Attachment } from './attachments.ts';

/** What the picture viewer shows. */
export const PICTURE_KINDS = ['image', 'dicom'] as const;

/** A picture with the message that brought it. */
export const ChatPicture = z.object({
  file: Attachment,
  message_id: Id,
  sender: z.object({ user_id: Id, name: z.string() }),
  sent_at: Instant,
});
export type ChatPicture = z.infer<typeof ChatPicture>;

export const listChatPictures = endpoint({
  name: 'listChatPictures',
  summary:
    'The pictures of a chat, DICOM files among them, that I may read; the one that was uploaded last comes first.',
  method: 'GET',
  path: '/api/chats/{chat}/pictures',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(ChatPicture),
});

export const pictureEndpoints = [listChatPictures] as const;
