import type { LaboratoryMessage } from '@wardline/contract/examinations/laboratory.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Table } from '@wardline/ui/table/table.tsx';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { momentIn } from '#/shared/time/zoned-time.ts';
import { useLaboratoryMessages } from './laboratory-queries.ts';

/** What came of the laboratory, and what became of it; nothing of a patient. */
export function LaboratoryMessages({ facility }: { readonly facility: Facility }) {
  const list = useLaboratoryMessages(facility.id);
  const messages = list.data?.pages.flatMap(({ data }) => data);
  if (messages === undefined) {
    return list.isError ? (
      <ErrorState
        title="The messages did not load"
        message={formatFailure(list.error)}
        onRetry={() => void list.refetch()}
      />
    ) : (
      <Skeleton count={4} label="Loading" />
    );
  }
  return (
    <div className="stack stack-4">
      <p className="t13 muted">
        Messages that were taken. Those that were refused stand in the census settings, under{' '}
        {facility.permissions.includes('census.configure') ? (
          <Link href="/census?view=settings#feed">Patient system</Link>
        ) : (
          'Patient system'
        )}
        .
      </p>
      <Table<LaboratoryMessage>
        caption="Messages of the laboratory"
        rows={messages}
        rowKey={({ id }) => id}
        onPhone="stack"
        emptyText="The laboratory sends its results as HL7 v2 ORU^R01 messages to the same place as the patient system. Set-up says how they are matched."
        columns={[
          {
            key: 'at',
            head: 'Received',
            cell: ({ received_at }) => momentIn(facility.time_zone, Date.parse(received_at)),
          },
          { key: 'sender', head: 'Sender', cell: ({ sender }) => sender ?? '–' },
          { key: 'control', head: 'Number', cell: ({ control_id }) => <span className="mono">{control_id}</span> },
          { key: 'outcome', head: 'Reports', cell: formatOutcome },
        ]}
      />
      <ShowMore list={list} />
    </div>
  );
}

function formatOutcome({ reports, filed, unmatched, set_aside, outdated }: LaboratoryMessage): string {
  if (reports === 0) return 'No results';
  const parts = [
    filed > 0 && `${filed} in a chat`,
    unmatched > 0 && `${unmatched} to assign`,
    set_aside > 0 && `${set_aside} set aside`,
    outdated > 0 && `${outdated} outdated`,
  ];
  return parts.filter(Boolean).join(', ');
}
