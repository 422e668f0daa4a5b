import type { Log } from '@wardline/client/log.ts';
import type { DeviceStore, StoreChange } from '@wardline/client/store/device-store.ts';
import { Message, Participant } from '@wardline/contract/chat.ts';
import * as z from 'zod/mini';
import { mergeMessages } from './merge-messages.ts';

const Place = z.object({ cursor: z.int() });

/** What a device keeps of one chat: messages and how far they go, in one transaction, and who is in it. */
export interface ChatDeviceCopy {
  /** The newest messages, those around a seq where one is given, and the cursor; null without a copy. */
  load(
    limit: number,
    around: number | null,
  ): Promise<{ messages: readonly Message[]; cursor: number; participants: readonly Participant[] } | null>;
  older(before: number, limit: number): Promise<readonly Message[]>;
  keep(messages: readonly Message[], cursor: number | null): void;
  keepParticipants(participants: readonly Participant[]): void;
}

export function createChatDeviceCopy(store: DeviceStore, chatId: string, log: Log): ChatDeviceCopy {
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
      const cursor = z.safeParse(Place, kept);
      if (!cursor.success) return null;
      const participants = z.safeParse(z.array(Participant), known);
      return { messages, cursor: cursor.data.cursor, participants: participants.success ? participants.data : [] };
    },
    older: (before, limit) => read({ before, limit }),
    keep(messages, cursor) {
      const rows = messages.map(messageRow);
      write(
        cursor === null ? rows : [...rows, { type: 'put-meta', name: place, chatId, value: { cursor }, isCache: true }],
      );
    },
    keepParticipants(participants) {
      write([{ type: 'put-meta', name: people, chatId, value: participants, isCache: true }]);
    },
  };
}

/** A message as a change of the device's copy. */
export function messageRow(message: Message): StoreChange {
  return { type: 'put-message', chatId: message.chat_id, seq: message.seq, id: message.id, value: message };
}
