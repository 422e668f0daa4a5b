import type { Log } from '@wardline/client/log.ts';
import type { DeviceStore, StoreChange } from '@wardline/client/store/device-store.ts';
import { Message, Participant } from '@wardline/contract/chat/chat.ts';
import * as z from 'zod/mini';
import type { ChatCopy, CopyPlace } from './chat-state.ts';
import { mergeMessages } from './merge-messages.ts';

/** What was kept before messages could change is as it stood before their first change. */
const Place = z.object({ cursor: z.int(), changeCursor: z.optional(z.int()) });

/** What a device keeps of one chat: messages and how far they go, in one transaction, and who is in it. */
export interface ChatDeviceCopy {
  /** The newest messages, those around a seq where one is given, and the cursor; null without a copy. */
  load(limit: number, around: number | null): Promise<ChatCopy | null>;
  older(before: number, limit: number): Promise<readonly Message[]>;
  keep(messages: readonly Message[], place: CopyPlace | null, isUpdate: boolean): void;
  keepParticipants(participants: readonly Participant[]): void;
}

export function createChatDeviceCopy(store: DeviceStore, chatId: string, log: Log): ChatDeviceCopy {
  // As devices have called it from the first build on.
  const place = `thread/${chatId}`;
  const people = `participants/${chatId}`;
  const write = (changes: readonly StoreChange[]): void => {
    if (!store.isCaching || changes.length === 0) return;
    store.write(changes).catch((error) => log.error('Messages could not be kept on this device', error));
  };
  const read = async (page: { before?: number; limit: number }): Promise<readonly Message[]> => {
    const parsed = (await store.messages(chatId, page)).map((value) => z.safeParse(Message, value));
    return parsed.flatMap((result) => (result.success ? [result.data] : []));
  };
  return {
    async load(limit, around) {
      const [newest, there, kept, known] = await Promise.all([
        read({ limit }),
        around === null ? [] : read({ before: around + limit / 2, limit }),
        store.meta(place),
        store.meta(people),
      ]);
      const messages = mergeMessages(there, newest);
      const found = z.safeParse(Place, kept);
      if (!found.success) return null;
      const { cursor, changeCursor = 0 } = found.data;
      const participants = z.safeParse(z.array(Participant), known);
      return { messages, cursor, changeCursor, participants: participants.success ? participants.data : [] };
    },
    older: (before, limit) => read({ before, limit }),
    keep(messages, goes, isUpdate) {
      const rows = messages.map((message) => messageRow(message, isUpdate));
      write(goes === null ? rows : [...rows, { type: 'put-meta', name: place, chatId, value: goes, isCache: true }]);
    },
    keepParticipants(participants) {
      write([{ type: 'put-meta', name: people, chatId, value: participants, isCache: true }]);
    },
  };
}

/** A message as a change of the device's copy. */
export function messageRow(message: Message, isUpdate = false): StoreChange {
  const { chat_id: chatId, seq, id, change_seq: changeSeq = 0 } = message;
  return { type: 'put-message', chatId, seq, id, changeSeq, isUpdate, value: message };
}
