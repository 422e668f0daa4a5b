import { findAuditedChats, listAudit, listReaders } from '@wardline/contract/audit.ts';
import { countEmergencyAccesses, listEmergencyAccesses } from '@wardline/contract/chat/emergency-access.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';
import { type AuditView, auditQuery } from './audit-address.ts';

const PAGE = 50;
const SHORTEST = 2;
const AGAIN_MS = 5 * 60_000;

/** The audit of a facility, the newest first, page by page. */
export function useAudit(facilityId: string, view: AuditView) {
  const call = useCall();
  const query = auditQuery(view);
  return usePages({
    queryKey: ['audit', facilityId, query],
    load: ({ query: page, signal }) =>
      call(listAudit, { params: { facility: facilityId }, query: { ...query, limit: PAGE, ...page }, signal }),
    placeholderData: keepPreviousData,
  });
}

export const emergenciesKey = (facilityId: string) => ['emergencies', facilityId] as const;

/** Who opened chats of a facility in an emergency, the newest first, page by page. */
export function useEmergencies(facilityId: string, review: 'waiting' | 'all') {
  const call = useCall();
  return usePages({
    queryKey: [...emergenciesKey(facilityId), review],
    load: ({ query, signal }) =>
      call(listEmergencyAccesses, {
        params: { facility: facilityId },
        query: { review, limit: PAGE, ...query },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** How many emergency accesses somebody could sign off; asked again while the dashboard stands open. */
export function useWaitingEmergencies(facilityId: string) {
  const call = useCall();
  return useQuery({
    queryKey: [...emergenciesKey(facilityId), 'count'],
    queryFn: ({ signal }) => call(countEmergencyAccesses, { params: { facility: facilityId }, signal }),
    refetchInterval: AGAIN_MS,
  });
}

/** Who else opened the chats that I write in, the newest first, page by page. */
export function useReaders(chatId: string | null) {
  const call = useCall();
  return usePages({
    queryKey: ['readers', chatId],
    load: ({ query, signal }) =>
      call(listReaders, { query: { ...query, limit: PAGE, ...(chatId === null ? {} : { chat: chatId }) }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Patients and chats of a facility that have these words; asked from two letters on. */
export function useAuditedChats(facilityId: string, q: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['audited-chats', facilityId, q],
    enabled: q.length >= SHORTEST,
    queryFn: ({ signal }) => call(findAuditedChats, { params: { facility: facilityId }, query: { q }, signal }),
    placeholderData: keepPreviousData,
  });
}
