import { isTemporary } from '@wardline/client/http/api-error.ts';
import { ChatRole, listChatRoles } from '@wardline/contract/chat/chat-roles.ts';
import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { askOrRead } from '#/shared/queries/kept-answer.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

/** An on-call role that can be called; `holder` is left out where nobody could be asked who holds it now. */
export type OfferedRole = Omit<ChatRole, 'holder'> & Partial<Pick<ChatRole, 'holder'>>;

const Roles = z.array(ChatRole);
const withoutHolder = ({ holder: _before, ...role }: OfferedRole): OfferedRole => role;

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
      const ask = async () => (await call(listChatRoles, { params: { chat: chatId }, signal })).data;
      try {
        const name = `roles/${chatId}`;
        const { value, isFromDevice } = await askOrRead({ store, name, chatId, shape: Roles, ask });
        return isFromDevice ? value.map(withoutHolder) : value;
      } catch (error) {
        // A device that keeps nothing; the page knows them still.
        const known = queries.getQueryData<readonly OfferedRole[]>(queryKey);
        if (!isTemporary(error) || known === undefined) throw error;
        return known.map(withoutHolder);
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
