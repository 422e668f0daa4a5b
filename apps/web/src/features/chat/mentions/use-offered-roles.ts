import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { ChatRole, listChatRoles } from '@wardline/contract/chat/chat-roles.ts';
import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

/** An on-call role that can be called; `holder` is left out where nobody could be asked who holds it now. */
export type OfferedRole = Omit<ChatRole, 'holder'> & Partial<Pick<ChatRole, 'holder'>>;

/** The roles of a chat, without a network as they were known before; `lines` is how many messages there are, since a line tells of each change. */
export function useOfferedRoles(chatId: string, lines: number): readonly OfferedRole[] {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  const queryKey = ['offered-roles', chatId];
  const { data, refetch } = useQuery<readonly OfferedRole[]>({
    queryKey,
    // The device answers where the server does not.
    networkMode: 'always',
    gcTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      try {
        const answer = await call(listChatRoles, { params: { chat: chatId }, signal });
        void keepRoles(store, chatId, answer.data);
        return answer.data;
      } catch (error) {
        const known = queries.getQueryData<readonly OfferedRole[]>(queryKey) ?? (await keptRoles(store, chatId));
        if (!isTemporary(error) || known === null) throw error;
        return known.map(({ holder: _before, ...role }) => role);
      }
    },
  });
  const asked = useRef(lines);
  useEffect(() => {
    if (asked.current !== lines) void refetch();
    asked.current = lines;
  }, [lines, refetch]);
  return data ?? [];
}

const place = (chatId: string) => `roles/${chatId}`;

function keepRoles(store: DeviceStore, chatId: string, value: readonly ChatRole[]): Promise<void> {
  // They are offered now whether they can be kept or not.
  return store.write([{ type: 'put-meta', name: place(chatId), chatId, value, isCache: true }]).catch(() => undefined);
}

async function keptRoles(store: DeviceStore, chatId: string): Promise<readonly OfferedRole[] | null> {
  const kept = z.safeParse(z.array(ChatRole), await store.meta(place(chatId)).catch(() => undefined));
  return kept.success ? kept.data : null;
}
