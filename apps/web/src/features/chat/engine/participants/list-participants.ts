import type { Call } from '@wardline/client/http/call.ts';
import { listParticipants as endpoint, type Participant } from '@wardline/contract/chat/chat.ts';

const PAGE = 200;

/** All people of a chat with their markers, page by page. */
export async function listAllParticipants(call: Call, chatId: string): Promise<readonly Participant[]> {
  const found: Participant[] = [];
  let cursor: string | null = null;
  do {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const page: { data: readonly Participant[]; next_cursor: string | null } = await call(endpoint, {
      params: { chat: chatId },
      query: { ...place, limit: PAGE },
    });
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}
