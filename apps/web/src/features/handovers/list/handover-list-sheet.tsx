import { serverNow } from '@wardline/client/server-clock.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { type HandoverListRow, noteHandoverListPrint } from '@wardline/contract/examinations/handovers.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { SEVERITY_LOOKS } from '#/features/handovers/core/handover-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { useQuery } from '#/shared/queries/use-query.ts';
import { Printed } from '#/shared/sheet/printed.tsx';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import { formatBirthDate, momentIn } from '#/shared/time/zoned-time.ts';
import {
  formatCritical,
  formatGiving,
  formatProgress,
  formatShift,
  formatUrgent,
  NO_UNIT_LABEL,
  STANDING_LOOKS,
  shiftOf,
  unitKey,
} from './handover-list-labels.ts';
import type { HandoverListPage } from './use-handover-list.ts';

interface HandoverListPrintProps {
  /** All pages of the list. */
  readonly pages: readonly HandoverListPage[];
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** The list as it comes out of the printer. Names on paper are out of the house: each print is written down. */
export function HandoverListPrint({ pages, facility, onClose }: HandoverListPrintProps) {
  const call = useCall();
  // What is on the page while somebody reads it does not change under them.
  const [printed] = useState(pages);
  const [page] = printed;
  const user = useQuery({ queryKey: ['user-who-prints'], queryFn: ({ signal }) => call(getUser, { signal }) });
  if (page === undefined) return null;
  const { since, unit_id } = page;
  return (
    <Printed
      back="Back to the list"
      onClose={onClose}
      title="Hand-over list"
      onPrint={() =>
        call(noteHandoverListPrint, { params: { facility: facility.id }, body: { unit: unitKey(unit_id), since } })
      }
    >
      {user.data ? (
        <HandoverListSheet
          page={page}
          rows={printed.flatMap(({ data }) => data)}
          {...{ facility }}
          by={user.data.name}
        />
      ) : user.error ? (
        <NotLoaded title="The list did not load" error={user.error} onRetry={user.refetch} />
      ) : (
        <Skeleton shape="rows" count={6} label="Loading the list" />
      )}
    </Printed>
  );
}

interface HandoverListSheetProps {
  readonly page: HandoverListPage;
  readonly rows: readonly HandoverListRow[];
  readonly facility: Facility;
  /** Who prints. */
  readonly by: string;
}

/** On paper: each patient by two identifiers, the hand-over and what is to be done, with a box to tick. */
function HandoverListSheet({ page, rows, facility, by }: HandoverListSheetProps) {
  const zone = facility.time_zone;
  const [at] = useState(serverNow);
  // The day stands at the head.
  const moment = (when: string) => formatClock(zone, Date.parse(when), Date.parse(page.at));
  const listed = momentIn(zone, Date.parse(page.at));
  const unit = page.units.find((one) => unitKey(one.unit?.id ?? null) === unitKey(page.unit_id));
  return (
    <Sheet
      isWide
      facilityName={facility.name}
      title={`Hand-over list: ${unit?.unit ? `${unit.unit.code}, ${unit.unit.name}` : NO_UNIT_LABEL}`}
      subtitle={listed}
      foot={
        <p>
          As of {listed}; patients of the chats of {by} only. Printed {momentIn(zone, at)} ({zone}) by {by}.
        </p>
      }
    >
      <p>
        {formatShift({ name: shiftOf(page.shifts, page.since)?.name, since: page.since }, moment)}.{' '}
        {unit && formatProgress(unit)}.
      </p>
      <table className="sheet-table hlist-sheet">
        <thead>
          <tr>
            {['Bed', 'Patient', 'Hand-over', 'To do', 'Urgent'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PatientLine key={row.chat_id} {...{ row, moment }} />
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

function PatientLine({ row, moment }: { readonly row: HandoverListRow; readonly moment: (when: string) => string }) {
  const { patient, standing, handover, to_do, urgent, critical } = row;
  const severity = handover?.severity && SEVERITY_LOOKS[handover.severity].word;
  return (
    <tr>
      <th scope="row">{patient.bed ?? 'No bed'}</th>
      <td>
        <p className="semi">{patient.name}</p>
        <p>
          {formatIdentifier(patient.identifier)}
          {patient.born_on && `, born ${formatBirthDate(patient.born_on)}`}
        </p>
      </td>
      <td>
        <p className="semi">
          {[STANDING_LOOKS[standing].word, standing !== 'none' && severity].filter(Boolean).join(', ')}
        </p>
        {handover && (
          <p>
            {standing === 'none' && 'Last: '}
            {formatGiving(handover)}
            {standing === 'none' && severity && `, ${severity}`}, {moment(handover.given_at)}
          </p>
        )}
      </td>
      <td>
        {to_do.map(({ id, text, owner, due_at }) => (
          <p key={id} dir="auto">
            ☐ {[text, owner, due_at && `by ${moment(due_at)}`].filter(Boolean).join(', ')}
          </p>
        ))}
      </td>
      <td>
        {critical > 0 && <p>{formatCritical(critical)}</p>}
        {urgent > 0 && <p>{formatUrgent(urgent)}</p>}
      </td>
    </tr>
  );
}
