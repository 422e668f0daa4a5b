import { WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { findOwnCases, type OwnCase } from '@wardline/contract/chat/chat-management.ts';
import { foldIdentifier } from '@wardline/format/names.ts';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useDebounced } from '#/shared/forms/use-debounced.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import type { NewChatForm } from './new-chat-input.ts';

interface SameCase {
  /** Case chats of mine about the patient whose number stands in the form; empty where there is none that is known of. */
  readonly cases: readonly OwnCase[];
  /** Asks the server now: whoever is faster than the pause in typing. Where it does not answer, the device's word stands. */
  readonly ask: () => Promise<readonly OwnCase[]>;
}

/** Whether the patient of the form has a case already: at once by the chats on this device, then by the server. */
export function useSameCase({ kind, facilityId, identifier }: NewChatForm): SameCase {
  const call = useCall();
  const isOnline = useOnline();
  const queries = useQueryClient();
  const { items } = useChats();
  const number = kind === 'case' ? foldIdentifier(identifier) : '';
  const settled = useDebounced(number);
  const keyOf = (asked: string) => ['own-cases', facilityId, asked] as const;
  const load = async (asked: string) =>
    (await call(findOwnCases, { params: { facility: facilityId }, body: { identifier: asked } })).data;
  const { data: found } = useQuery({
    queryKey: keyOf(number),
    queryFn: () => load(number),
    enabled: isOnline && number !== '' && number === settled,
    retry: false,
  });
  const onDevice = items.flatMap(({ chat: { id, facility_id, title, state, patient } }) => {
    const isSame = patient && facility_id === facilityId && foldIdentifier(patient.identifier) === number;
    return isSame && WRITABLE_STATES.includes(state) ? [{ id, facility_id, title, patient }] : [];
  });
  return {
    cases: number === '' ? [] : [...new Map([...(found ?? []), ...onDevice].map((one) => [one.id, one])).values()],
    async ask() {
      if (number === '' || !isOnline) return [];
      try {
        const cases = await load(number);
        queries.setQueryData(keyOf(number), cases);
        return cases;
      } catch {
        return [];
      }
    },
  };
}
