import { listChats } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import type { ReactNode } from 'react';
import type { ChatListItem } from '#/features/chat/core/chat-view.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { usePages } from '#/shared/queries/use-pages.ts';
import { type ChatFilter, filterChats } from './filter-chats.ts';

const PAGE = 50;

export interface ArchiveProps {
  readonly facilities: readonly Facility[];
  readonly filter: ChatFilter;
  /** What stands in the list already, because this device kept it. */
  readonly listed: readonly ChatListItem[];
  readonly renderRow: (item: ChatListItem) => ReactNode;
  /** On a page of its own, not beside a chat. */
  readonly isPage?: boolean;
}

/** The archived chats that this device never got: sync leaves them out, so they come when somebody wants to see them. */
export function Archive({ facilities, filter, ...props }: ArchiveProps) {
  const isOnline = useOnline();
  const asked = facilities.filter(({ id }) => filter.facilityId === null || filter.facilityId === id);
  if (!isOnline) return <p className="archive-note muted">The archive shows when you are online.</p>;
  return asked.map((facility) => (
    <FacilityArchive
      key={facility.id}
      {...props}
      facility={facility}
      filter={filter}
      title={asked.length > 1 ? `Archive of ${facility.name}` : 'Archive'}
    />
  ));
}

interface FacilityArchiveProps extends Omit<ArchiveProps, 'facilities'> {
  readonly facility: Facility;
  readonly title: string;
}

function FacilityArchive({ facility, filter, listed, title, renderRow, isPage = false }: FacilityArchiveProps) {
  const archive = useArchive(facility.id, filter);
  const kept = new Set(listed.map(({ chat }) => chat.id));
  const items = (archive.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter(({ id }) => !kept.has(id))
    .map((chat) => ({ chat, pending: 0, failed: 0 }));
  const shown = filterChats(items, { ...filter, search: '' });
  const id = `archive-${facility.id}`;
  const rows = (
    <ul className="list" aria-label={title}>
      {shown.map((item) => (
        <li key={item.chat.id}>{renderRow(item)}</li>
      ))}
    </ul>
  );
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} />
      {archive.isPending && <Skeleton count={3} label="Loading the archive" />}
      {archive.isError && items.length === 0 && (
        <ErrorState
          title="The archive did not load"
          level={3}
          message={archive.error.message}
          onRetry={() => void archive.refetch()}
        />
      )}
      {archive.isSuccess && shown.length === 0 && !archive.hasNextPage && (
        <p className="archive-note muted">{kept.size > 0 ? 'No other archived chats.' : 'No archived chats.'}</p>
      )}
      {shown.length > 0 && (isPage ? <Card isBleeding>{rows}</Card> : rows)}
      <ShowMore list={archive} />
    </section>
  );
}

/** The archive of a facility page by page, newest activity first; not kept, as nothing is that was only asked for. */
function useArchive(facilityId: string, { kind, search }: ChatFilter) {
  const call = useCall();
  const q = search.trim();
  return usePages({
    queryKey: ['archive', facilityId, kind, q],
    load: ({ query, signal }) =>
      call(listChats, {
        params: { facility: facilityId },
        query: {
          ...query,
          state: 'archived',
          limit: PAGE,
          ...(kind === null ? {} : { kind }),
          ...(q === '' ? {} : { q }),
        },
        signal,
      }),
    gcTime: 60_000,
  });
}
