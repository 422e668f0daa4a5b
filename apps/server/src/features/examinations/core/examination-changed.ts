import { chatChannel, privateChatChannel } from '@wardline/contract/chat/chat.ts';
import { type Publication, publication } from '#/platform/http/publish.ts';

interface Changed {
  readonly id: string;
  readonly chatId: string;
  readonly version: number;
}

/** To all who have the chat open, and to nobody else: ids alone, who shows it asks again. */
export function examinationChanged({ id, chatId, version }: Changed): Publication[] {
  const event = { chat_id: chatId, examination_id: id, version };
  return [chatChannel, privateChatChannel].map((channel) =>
    publication(channel, chatId, ['ExaminationChanged', event]),
  );
}
