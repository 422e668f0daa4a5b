import type { Call } from '@wardline/client/http/call.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import {
  listMessageTemplates,
  MESSAGE_TEMPLATES_MAX,
  MessageTemplate,
} from '@wardline/contract/chat/message-templates.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { askOrRead } from '#/shared/queries/kept-answer.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

export type Templates = readonly MessageTemplate[];

const keyOf = (facilityId: string) => ['message-templates', facilityId];
const Kept = z.array(MessageTemplate);

/** The templates of a facility by title, fresh for as long as they are wanted; offline as this device knew them last. */
export function useTemplates(facilityId: string, isWanted: boolean) {
  const call = useCall();
  const { store } = useDevice();
  const realtime = useRealtime();
  const refresh = useEffectEvent(useRefreshTemplates(facilityId));
  useEffect(() => {
    if (!isWanted) return;
    const joined = realtime?.join(facilityChannel, facilityId, {
      events: { MessageTemplatesChanged: () => void refresh() },
      onSubscribed: () => void refresh(),
    });
    return () => joined?.leave();
  }, [realtime, facilityId, isWanted]);
  return useQuery({
    queryKey: keyOf(facilityId),
    queryFn: ({ signal }) => askTemplates({ call, store, facilityId, signal }),
    enabled: isWanted,
    // Without a network the device answers.
    networkMode: 'always',
  });
}

/** Asks again, and resolves with what is there now. */
export function useRefreshTemplates(facilityId: string): () => Promise<Templates> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: keyOf(facilityId) });
    return queries.getQueryData<Templates>(keyOf(facilityId)) ?? [];
  };
}

interface Asked {
  readonly call: Call;
  readonly store: DeviceStore;
  readonly facilityId: string;
  readonly signal: AbortSignal;
}

async function askTemplates({ call, store, facilityId, signal }: Asked): Promise<Templates> {
  const ask = async () => {
    const query = { limit: MESSAGE_TEMPLATES_MAX };
    const { data } = await call(listMessageTemplates, { params: { facility: facilityId }, query, signal });
    return data.toSorted((a, b) => a.title.localeCompare(b.title));
  };
  return (await askOrRead({ store, name: `templates/${facilityId}`, shape: Kept, ask })).value;
}
