import { serverNow } from '@wardline/client/server-clock.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import {
  HANDOVER_SECTIONS,
  type Handover,
  type HandoverVersion,
  noteHandoverPrint,
} from '@wardline/contract/examinations/handovers.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import {
  FORMAT_LABELS,
  formatSigner,
  SECTION_LABELS,
  SEVERITY_LOOKS,
  SYNTHESIS_LABELS,
} from '#/features/handovers/core/handover-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { Printed } from '#/shared/sheet/printed.tsx';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import { formatBirthDate, momentIn } from '#/shared/time/zoned-time.ts';

interface PrintViewProps {
  readonly handover: Handover;
  readonly version: HandoverVersion;
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** A hand-over as it comes out of the printer. What is on paper is out of the house: each print is written down. */
export function PrintView({ handover, version, facility, onClose }: PrintViewProps) {
  const call = useCall();
  const [at] = useState(serverNow);
  const user = useQuery({ queryKey: ['user-who-prints'], queryFn: ({ signal }) => call(getUser, { signal }) });
  return (
    <Printed
      back="Back to the hand-over"
      onClose={onClose}
      title="Hand-over"
      onPrint={() => call(noteHandoverPrint, { params: { handover: handover.id } })}
    >
      {user.data ? (
        <HandoverSheet {...{ handover, version, facility, at }} by={user.data.name} />
      ) : user.error ? (
        <ErrorState
          title="The hand-over did not load"
          level={3}
          message={formatFailure(user.error)}
          onRetry={() => void user.refetch()}
        />
      ) : (
        <Skeleton shape="rows" count={6} label="Loading the hand-over" />
      )}
    </Printed>
  );
}

interface HandoverSheetProps extends Omit<PrintViewProps, 'onClose'> {
  readonly at: number;
  /** Who prints. */
  readonly by: string;
}

/** On paper: whose it is by two identifiers, what was said and where from, what is to be done, and both signatures. */
function HandoverSheet({ handover, version, facility, at, by }: HandoverSheetProps) {
  const { patient, severity, format, lines, actions, given, receipt, sha256 } = version;
  const zone = facility.time_zone;
  const moment = (when: string) => momentIn(zone, Date.parse(when));
  const parts = HANDOVER_SECTIONS[format].map((section) => ({
    section,
    said: lines.filter((line) => line.section === section),
  }));
  return (
    <Sheet
      facilityName={facility.name}
      title="Hand-over"
      subtitle={FORMAT_LABELS[format]}
      foot={
        <>
          <p>
            SHA-256 of what was signed: <span className="mono">{sha256}</span>
            {receipt && (
              <>
                , of the receipt: <span className="mono">{receipt.sha256}</span>
              </>
            )}
          </p>
          <p>
            Printed {momentIn(zone, at)} ({zone}) by {by}. Hand-over <span className="mono">{handover.id}</span>,
            version {version.version}
          </p>
        </>
      }
    >
      {handover.state !== 'received' && <p className="hand-stamp">{STAMPS[handover.state]}</p>}
      <DescriptionList
        items={[
          { term: 'Patient', description: patient?.name ?? 'No patient' },
          ...(patient ? [{ term: 'MRN', description: patient.identifier.replace(/^mrn\s*/i, '') }] : []),
          { term: 'Born', description: patient?.born_on ? formatBirthDate(patient.born_on) : 'not known' },
          { term: 'Bed', description: patient?.bed ?? 'not known' },
          { term: 'Severity', description: severity ? SEVERITY_LOOKS[severity].word : 'not stated' },
          { term: 'Given by', description: `${formatSigner(given.by)}, ${moment(given.at)}` },
          {
            term: 'Received by',
            description: receipt ? `${formatSigner(receipt.by)}, ${moment(receipt.at)}` : 'nobody yet',
          },
        ]}
      />
      {parts.map(
        ({ section, said }) =>
          said.length > 0 && (
            <section key={section}>
              <h3 className="semi">{SECTION_LABELS[section]}</h3>
              {said.map(({ text, source }) => (
                <p key={`${source?.id} ${text}`} className="hand-text" dir="auto">
                  {text}
                  {source && ` (${source.label}, ${moment(source.at)})`}
                </p>
              ))}
            </section>
          ),
      )}
      {actions.length > 0 && (
        <section>
          <h3 className="semi">Action list</h3>
          {actions.map(({ id, text, owner, due_at }) => {
            const done = handover.done.find(({ action_id }) => action_id === id);
            return (
              <p key={id} className="hand-text">
                {done ? '☑' : '☐'} {[text, owner, due_at && `by ${moment(due_at)}`].filter(Boolean).join(', ')}
                {done && `: done by ${done.by.name}, ${moment(done.at)}`}
              </p>
            );
          })}
        </section>
      )}
      {receipt && (
        <section>
          <h3 className="semi">{SYNTHESIS_LABELS[format]}</h3>
          <p className="hand-text" dir="auto">
            {receipt.synthesis}
          </p>
        </section>
      )}
    </Sheet>
  );
}

/** What no one may overlook who holds only the paper. */
const STAMPS = { given: 'Not received yet', declined: 'Declined', withdrawn: 'Withdrawn' } as const;
