import { serverNow } from '@wardline/client/server-clock.ts';
import {
  RESULT_REASON_MAX,
  setAsideLaboratoryResult,
  type UnmatchedResult,
} from '@wardline/contract/examinations/laboratory.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Flag } from '#/features/examinations/core/flag.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { useLaboratoryResults, useRefreshLaboratory } from './laboratory-queries.ts';

type State = 'unmatched' | 'set_aside';

interface UnmatchedResultsProps {
  readonly facility: Facility;
  readonly state: State;
}

interface Asked {
  readonly act: 'assign' | 'set_aside';
  readonly result: UnmatchedResult;
}

/** Results that wait for somebody to say whose they are, or were set aside. */
export function UnmatchedResults({ facility, state }: UnmatchedResultsProps) {
  const list = useLaboratoryResults(facility.id, state);
  const refresh = useRefreshLaboratory(facility.id);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const pages = list.data?.pages;
  if (pages === undefined) {
    return list.isError ? (
      <ErrorState
        title="The results did not load"
        message={formatFailure(list.error)}
        onRetry={() => void list.refetch()}
      />
    ) : (
      <Skeleton count={4} label="Loading" />
    );
  }
  const results = pages.flatMap(({ data }) => data);
  return (
    <div className="stack stack-4">
      {results.length === 0 ? (
        <EmptyState icon={FlaskConical} title={state === 'unmatched' ? 'No results to assign' : 'None set aside'}>
          {state === 'unmatched'
            ? 'A result whose patient has no open chat here, or more than one, waits here.'
            : 'What is set aside stays here for 90 days.'}
        </EmptyState>
      ) : (
        <ul className="stack stack-4" aria-label={state === 'unmatched' ? 'Results to assign' : 'Results set aside'}>
          {results.map((result) => (
            <li key={result.id}>
              <ResultCard {...{ result, zone: facility.time_zone }} onAct={(act) => setAsked({ act, result })} />
            </li>
          ))}
        </ul>
      )}
      <ShowMore list={list} />
      {asked?.act === 'assign' && (
        <AssignDialog
          facility={facility}
          result={asked.result}
          chats={pages[0]?.chats ?? []}
          onAssigned={refresh}
          onClose={close}
        />
      )}
      {asked?.act === 'set_aside' && (
        <SetAsideDialog facility={facility} result={asked.result} onDone={refresh} onClose={close} />
      )}
    </div>
  );
}

const STATUS_LABELS = {
  preliminary: 'Preliminary',
  final: 'Final',
  corrected: 'Corrected',
  cancelled: 'Cancelled',
} as const;

interface ResultCardProps {
  readonly result: UnmatchedResult;
  readonly zone: string;
  readonly onAct: (act: Asked['act']) => void;
}

function ResultCard({ result, zone, onAct }: ResultCardProps) {
  const { title, status, laboratory, number, patient, findings, why, closed } = result;
  const isGrave = result.is_critical ?? findings.some(({ interpretation }) => isCritical(interpretation));
  const at = (when: string) => formatClock(zone, Date.parse(when), serverNow());
  const whose = [patient.name, patient.born_on && `born ${formatBirthDate(patient.born_on)}`, ...patient.identifiers];
  return (
    <Card hasPadding>
      <article className="stack stack-4" aria-label={`${title}, ${patient.name}`}>
        <div className="stack stack-1">
          <div className="row wrap">
            <strong className="grow">{title}</strong>
            {isGrave && <Badge tone="solid-error">Critical</Badge>}
            <Badge tone={status === 'preliminary' ? 'warning' : 'line'}>{STATUS_LABELS[status]}</Badge>
          </div>
          <p>{whose.filter(Boolean).join(' · ')}</p>
          <p className="t13 muted num">
            {laboratory}, number {number} · reported {at(result.reported_at)}
          </p>
        </div>
        <ul className="stack stack-1" aria-label="Findings">
          {findings.map(({ label, value, interpretation }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report may say one label twice, and its order never changes
            <li key={index} className="row wrap num">
              <span className="muted">{label}</span> <b className="medium">{value}</b> <Flag of={interpretation} />
            </li>
          ))}
        </ul>
        <p className="t13">
          {closed ? `Set aside by ${closed.by.name}, ${at(closed.at)}: ${closed.reason ?? ''}` : why}
        </p>
        <div className="row wrap">
          <Button size="sm" label={`Assign to a chat: ${title} of ${patient.name}`} onClick={() => onAct('assign')}>
            Assign to a chat
          </Button>
          {!closed && (
            <Button
              size="sm"
              variant="outline"
              color="neutral"
              label={`Set aside: ${title} of ${patient.name}`}
              onClick={() => onAct('set_aside')}
            >
              Set aside
            </Button>
          )}
        </div>
      </article>
    </Card>
  );
}

interface SetAsideDialogProps {
  readonly facility: Facility;
  readonly result: UnmatchedResult;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function SetAsideDialog({ facility, result, onDone, onClose }: SetAsideDialogProps) {
  const call = useCall();
  return (
    <ReasonDialog
      title={`Set ${result.title} aside?`}
      description="Nobody is told of this result. It stays under Set aside for 90 days."
      submitLabel="Set aside"
      help="It stays with the result and in the audit log."
      maxLength={RESULT_REASON_MAX}
      onClose={onClose}
      onSend={async ({ reason }) => {
        const params = { facility: facility.id, result: result.id };
        await call(setAsideLaboratoryResult, { params, body: { version: result.version, reason } });
        sayDone('The result was set aside');
        await onDone();
      }}
    />
  );
}
