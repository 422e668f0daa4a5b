import { useRouter } from '@tanstack/react-router';
import { isTemporary } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import {
  acknowledgeReport,
  type Examination,
  type TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import type { ImportedFrom } from '@wardline/contract/examinations/imports.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { yearsOn } from '@wardline/examination/age.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { isEditable, isSigned } from '@wardline/examination/transition.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type FindingActs, type LinkedFinding, nameId } from '#/features/examinations/citing/finding-menu.tsx';
import { useCiting } from '#/features/examinations/citing/use-citing.ts';
import { ExaminationGone } from '#/features/examinations/core/examination-gone.tsx';
import { stateBadge, TYPE_ICONS } from '#/features/examinations/core/examination-labels.ts';
import { PicturesContext, type ShowPictures } from '#/features/examinations/core/pictures-context.ts';
import {
  useExamination,
  useExaminationChanges,
  useReportVersions,
} from '#/features/examinations/core/use-examination.ts';
import { CriticalResults } from '#/features/examinations/critical/critical-results.tsx';
import { undecidedFindings } from '#/features/examinations/critical/undecided.ts';
import { useWhoToCall } from '#/features/examinations/critical/use-who-to-call.ts';
import { FindingsForm } from '#/features/examinations/entering/findings-form.tsx';
import { useTypedInto } from '#/features/examinations/entering/kept-typed.ts';
import { SexField } from '#/features/examinations/entering/sex-field.tsx';
import { mergedEntries } from '#/features/examinations/entering/typed-values.ts';
import { useExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import {
  type BeginItem,
  isClosing,
  type MoveItem,
  movedEntries,
  projectExamination,
  useBeginning,
  useDeliveredMoves,
  useMoveItems,
} from '#/features/examinations/moving/use-waiting-moves.ts';
import { FindingsTable } from '#/features/examinations/report/findings-table.tsx';
import { News2Panel, type News2PanelProps } from '#/features/examinations/report/news2-panel.tsx';
import { Difference, ReportVersions } from '#/features/examinations/report/report-versions.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { isGone } from '#/shared/errors/is-gone.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';
import { ExaminationActions } from './examination-actions.tsx';
import { FilesMenu } from './files-menu.tsx';
import { NewerForm } from './newer-form.tsx';
import { UnsentNotices } from './unsent-notices.tsx';
import { useMoves } from './use-moves.ts';
import '#/features/examinations/core/examinations.css';

const PrintView = lazyPart(async () => (await import('#/features/examinations/print/print-view.tsx')).PrintView, {
  onMissing: closeMissing,
});

const TrendPanel = lazyPart(async () => (await import('#/features/examinations/trends/trend-panel.tsx')).TrendPanel, {
  onMissing: closeMissing,
});

const READ_AFTER_MS = 600;

interface ExaminationPaneProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly examinationId: string;
  readonly myId: string;
  readonly chatPath: string;
  readonly urgent: News2PanelProps['urgent'];
  readonly cite: FindingActs['cite'];
  readonly pictures: ShowPictures;
  /** The finding that the address names. */
  readonly linked: LinkedFinding | null;
}

/** An examination beside its chat: what it is about, what was found, what holds, what comes next. */
export function ExaminationPane({ chatId, examinationId, pictures, ...place }: ExaminationPaneProps) {
  const { chatPath } = place;
  const beginning = useBeginning(examinationId);
  const { data: stored, error, refetch } = useExamination(examinationId, beginning === null);
  const moves = useMoveItems(examinationId);
  const waits = beginning?.payload.seen ?? [...moves.refused, ...moves.waiting].at(0)?.payload.seen;
  const { data: typedInto } = useTypedInto(examinationId, !stored && !waits && isTemporary(error));
  // Where the network is away, what waits knows how it stood, and so does what was typed.
  const data = stored ?? waits ?? typedInto ?? undefined;
  useExaminationChanges(chatId);
  // Of another chat it is not here.
  if ((isGone(error) && !beginning) || (data && data.chat_id !== chatId))
    return <ExaminationGone chatPath={chatPath} />;
  if (data) {
    return (
      <PicturesContext value={pictures}>
        <ExaminationView key={data.id} examination={data} {...{ beginning }} {...place} {...moves} />
      </PicturesContext>
    );
  }
  return (
    <Pane name="detail" label="Examination">
      <PaneHead title="Examination" back={{ href: chatPath, label: 'Back to the chat' }} />
      {error ? (
        <NotLoaded title="The examination did not load" error={error} onRetry={refetch} />
      ) : (
        <div className="exam-block">
          <Skeleton shape="fields" count={6} label="Loading the examination" />
        </div>
      )}
    </Pane>
  );
}

interface ExaminationViewProps extends Omit<ExaminationPaneProps, 'chatId' | 'examinationId' | 'pictures'> {
  readonly examination: Examination;
  /** Where it is not on the server yet. */
  readonly beginning: BeginItem | null;
  readonly waiting: readonly MoveItem[];
  readonly refused: readonly MoveItem[];
}

function ExaminationView({ examination: stored, beginning, waiting, refused, ...place }: ExaminationViewProps) {
  const { facility, myId, chatPath, urgent, cite, linked } = place;
  const isHeld = hasUnsent(beginning, waiting);
  const zone = facility.time_zone;
  const { projected } = projectExamination(stored, waiting, subjectOf(stored, zone));
  const form = useExaminationForm(projected, myId, isHeld);
  const { examination } = form;
  const { template, title, state, my } = examination;
  const subject = subjectOf(examination, zone);
  const moves = useMoves(stored, form, subject);
  const closing = waiting.find(isClosing);
  useDeliveredMoves(examination.id);
  const versions = useReportVersions(examination);
  const isSigner = versions.data?.[0]?.signed.by.user_id === myId;
  const [wantsToAmend, setWantsToAmend] = useState(false);
  const hasTyped = Object.keys(form.typed).length > 0;
  const isAmending = !closing && isSigned(state) && my.can_sign && (wantsToAmend || hasTyped);
  const isForm = isAmending || (!closing && isEditable(state) && my.can_write);
  const entries = closing ? movedEntries(closing, subject) : examination.entries;
  useRead(examination);
  const isReport = examination.report_version > 0 && state !== 'in_progress';
  // A report names also those that are not there any more.
  const pictures = (isReport ? versions.data?.[0]?.pictures : null) ?? examination.pictures;
  const citing = useCiting(examination.id, isReport);
  const onCited = useWayToComposer(chatPath);
  const [trendOf, setTrendOf] = useState<TemplateField | null>(null);
  const acts = isReport
    ? { examination, zone, chatPath, citing, cite, onCited, onTrend: setTrendOf, linked }
    : undefined;
  const badge = stateBadge(examination);
  const hasCritical = my.can_sign && isForm && undecidedFindings(examination, form.entries(), subject).length > 0;
  useWhoToCall(examination, hasCritical);
  const merged = isForm ? mergedEntries(template.fields, form.typed, entries) : entries;
  const [isPrinting, setIsPrinting] = useState(false);
  if (isPrinting) {
    return (
      <Pane name="detail" label={title}>
        <div className="pane-scroll exam-print">
          <PrintView {...{ examination, facility, subject }} onClose={() => setIsPrinting(false)} />
        </div>
      </Pane>
    );
  }
  return (
    <Pane name="detail" label={title}>
      <PaneHead
        title={title}
        context={<span className="only-phone">{formatPatient(examination)}</span>}
        isContextWhole
        leading={<Icon of={TYPE_ICONS[template.type]} size="lg" />}
        back={{ href: chatPath, label: 'Back to the chat' }}
        actions={
          <>
            <Badge tone={badge.tone} icon={badge.icon}>
              {badge.word}
            </Badge>
            {!beginning && <FilesMenu examination={examination} onPrint={() => setIsPrinting(true)} />}
            <span className="only-desk">
              <Button asChild variant="ghost" color="neutral" iconOnly icon={X} label="Close examination">
                <Link href={chatPath} />
              </Button>
            </span>
          </>
        }
      />
      <nav className="tabs pane-tabs only-phone" aria-label="Chat and examination">
        <Link className="tab" href={chatPath}>
          Chat
        </Link>
        <span className="tab" aria-current="page">
          {title}
        </span>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is within reach of the keyboard */}
      <section className="pane-scroll exam" aria-label="Examination" tabIndex={0}>
        {examination.imported && <ImportedNotice imported={examination.imported} zone={zone} />}
        <UnsentNotices {...{ beginning, waiting, refused, stored, subject, form, moves, chatPath }} />
        <Notices {...{ examination, form, isForm, hasTyped }} isBegun={!beginning} />
        <RequestDetails {...{ examination, subject, zone }} />
        {isForm && <NewerForm key={examination.newer_form?.version} examination={examination} hasTyped={hasTyped} />}
        {isForm && <SexField {...{ examination, isHeld }} />}
        <div className={state === 'entered_in_error' ? 'exam-struck' : undefined}>
          <News2Panel {...{ examination, subject, urgent }} entries={merged} />
          {isForm ? (
            <FindingsForm {...{ examination, subject, form, myId }} />
          ) : (
            <FindingsTable {...{ template, entries, subject, zone, acts, pictures }} />
          )}
        </div>
        {trendOf && acts && (
          <TrendPanel
            key={trendOf.code}
            {...{ examination, subject, zone, chatPath }}
            field={trendOf}
            onClose={() => {
              document.getElementById(nameId(trendOf.code))?.focus();
              setTrendOf(null);
            }}
          />
        )}
        <CriticalResults {...{ examination, chatPath, zone }} />
        <ReportVersions {...{ examination, subject, zone }} />
      </section>
      {mayGoOn(beginning, closing) && (
        <ExaminationActions
          {...{ examination, form, moves, isSigner, isAmending, myId, subject }}
          onAmend={setWantsToAmend}
        />
      )}
    </Pane>
  );
}

/** What was stored before what waits would overtake it. */
function hasUnsent(beginning: BeginItem | null, waiting: readonly MoveItem[]): boolean {
  return beginning !== null || waiting.length > 0;
}

/** Not on from what closes it until it is sent, and not from what the server refused to begin. */
function mayGoOn(beginning: BeginItem | null, closing: MoveItem | undefined): boolean {
  return beginning?.state !== 'failed' && closing === undefined;
}

/** Whose values they are, as the server sees it too: by the day on which it was begun. */
function subjectOf({ patient, patient_sex, created }: Examination, zone: string): Subject {
  return { sex: patient_sex, bornOn: patient?.born_on ?? null, day: dateIn(zone, Date.parse(created.at)) };
}

function formatPatient({ patient }: Examination): string {
  return patient ? `${patient.name} · ${formatIdentifier(patient.identifier)}` : '';
}

interface NoticesProps {
  readonly examination: Examination;
  readonly form: ReturnType<typeof useExaminationForm>;
  readonly isForm: boolean;
  readonly hasTyped: boolean;
  /** On the server; until then it is said above that it waits. */
  readonly isBegun: boolean;
}

/** What is the matter, said above: offline, not saved, changed since it was read, over. */
function Notices({ examination, form, isForm, hasTyped, isBegun }: NoticesProps) {
  const isOnline = useOnline();
  const { state, reason, must_acknowledge } = examination;
  return (
    <>
      {isForm && isBegun && !isOnline && (
        <Banner isFlush tone="warning" title="You are offline.">
          It can’t be saved now. What you type is kept on this device and saved when you are back online.
        </Banner>
      )}
      {!isForm && isBegun && !isOnline && (
        <Banner isFlush tone="neutral" announce="none" title="You are offline.">
          It may have changed since this device read it.
        </Banner>
      )}
      {isForm && isOnline && form.error && (
        <Banner
          isFlush
          tone="error"
          action={
            <Button variant="link" size="sm" onClick={() => void form.save()}>
              Save again
            </Button>
          }
        >
          {form.error}
        </Banner>
      )}
      {isForm && form.placeless.length > 0 && (
        <Banner
          isFlush
          tone="warning"
          title="The form has no place any more for what you typed."
          action={
            <Button variant="link" size="sm" onClick={form.discardPlaceless}>
              Discard
            </Button>
          }
        >
          It has a newer version since. Copy what is needed into another field:{' '}
          {form.placeless.map(({ label, value }) => `${label}: ${value || 'empty'}`).join('; ')}
        </Banner>
      )}
      {!isForm && hasTyped && (
        <Banner
          isFlush
          tone="warning"
          action={
            <Button variant="link" size="sm" onClick={form.discard}>
              Discard
            </Button>
          }
        >
          What you typed was not saved before this moved on:{' '}
          {Object.values(form.typed)
            .map(({ value }) => value)
            .join('; ')}
        </Banner>
      )}
      {must_acknowledge && (
        <>
          <Banner isFlush tone="warning" title="Changed since you read it." announce="none">
            {reason && `${reason.by.name}: ${reason.text}`}
          </Banner>
          <ChangedSince examination={examination} />
        </>
      )}
      {reason && (state === 'cancelled' || state === 'entered_in_error' || state === 'requested') && (
        <Banner
          isFlush
          tone={state === 'entered_in_error' ? 'error' : 'neutral'}
          announce="none"
          title={REASON_TITLES[state]}
        >
          {reason.by.name}: {reason.text}
        </Banner>
      )}
    </>
  );
}

/** Nobody here found or signed what it says. */
function ImportedNotice({ imported, zone }: { readonly imported: ImportedFrom; readonly zone: string }) {
  const { by, at, reported_by, reported_at, identifier, laboratory } = imported;
  const clock = (when: string) => formatClock(zone, Date.parse(when), serverNow());
  if (laboratory) {
    return (
      <Banner
        isFlush
        tone={laboratory === 'preliminary' ? 'warning' : 'neutral'}
        announce="none"
        title={`${LABORATORY_TITLES[laboratory] ?? 'Result'}, from the laboratory.`}
      >
        {reported_by.join(', ')}, {clock(reported_at)}. Number{' '}
        <span className="mono exam-identifier">{identifier}</span>. First received {clock(at)}
        {by.name !== 'Wardline' && `, assigned by ${by.name}`}.
      </Banner>
    );
  }
  return (
    <Banner isFlush tone="neutral" announce="none" title={`Imported by ${by.name}, ${clock(at)}.`}>
      Reported {reported_by.length > 0 && `by ${reported_by.join(', ')}, `}
      {clock(reported_at)}. Identifier <span className="mono exam-identifier">{identifier}</span>
    </Banner>
  );
}

const LABORATORY_TITLES: Readonly<Record<string, string>> = {
  preliminary: 'Preliminary result',
  final: 'Final result',
  corrected: 'Corrected result',
  cancelled: 'Cancelled result',
};

const REASON_TITLES = {
  cancelled: 'Cancelled.',
  entered_in_error: 'Entered in error.',
  requested: 'Returned.',
} as const;

/** The difference from what this person acknowledged, or else read before this version, to what holds. */
function ChangedSince({ examination }: { readonly examination: Examination }) {
  const { data } = useReportVersions(examination);
  const { read_version, acknowledged_version } = examination.my;
  const [now, ...earlier] = data ?? [];
  if (!now) return null;
  const seen = acknowledged_version > 0 ? acknowledged_version : Math.min(read_version, now.version - 1);
  const known = earlier.find(({ version }) => version === seen) ?? earlier[0];
  if (!known) return null;
  return (
    <section className="exam-block" aria-label="What changed">
      <h3>
        From version {known.version} to {now.version}
      </h3>
      <Difference fields={examination.template.fields} before={known.entries} after={now.entries} />
    </section>
  );
}

interface RequestDetailsProps {
  readonly examination: Examination;
  readonly subject: Subject;
  readonly zone: string;
}

function RequestDetails({ examination, subject, zone }: RequestDetailsProps) {
  const { patient, created, requested, imported } = examination;
  const at = (when: string) => formatClock(zone, Date.parse(when), serverNow());
  const born =
    subject.bornOn && `${formatBirthDate(subject.bornOn)}, ${yearsOn(subject.bornOn, dateIn(zone, serverNow()))} years`;
  return (
    <dl className="facts exam-facts">
      {patient && (
        <div>
          <dt>Patient</dt>
          <dd>
            <b className="medium">{patient.name}</b>,{' '}
            <span className="whole">{formatIdentifier(patient.identifier)}</span>
          </dd>
        </div>
      )}
      {(born || subject.sex) && (
        <div>
          <dt>Born</dt>
          <dd className="num">{[born ?? 'not known', subject.sex].filter(Boolean).join(', ')}</dd>
        </div>
      )}
      {!imported && (
        <div>
          <dt>{requested ? 'Requested' : 'Drafted'}</dt>
          <dd>
            {(requested ?? created).by.name}, <span className="num">{at((requested ?? created).at)}</span>
          </dd>
        </div>
      )}
      {!imported && examination.template.version > 1 && (
        <div>
          <dt>Form</dt>
          <dd className="num">version {examination.template.version}</dd>
        </div>
      )}
    </dl>
  );
}

/** Where the chat does not stand beside it, as on a phone, one goes there to write. */
function useWayToComposer(chatPath: string): () => void {
  const router = useRouter();
  return () => {
    const composer = document.querySelector('.composer');
    if (composer === null || composer.getClientRects().length === 0) void router.navigate({ href: chatPath });
  };
}

/** A signed report that was in view for a moment is read: who changes it later asks this person again. */
function useRead({ id, state, report_version: version, my }: Examination): void {
  const call = useCall();
  const queries = useQueryClient();
  const isUnread = isSigned(state) && my.read_version < version;
  useEffect(() => {
    if (!isUnread) return;
    const timer = setTimeout(() => {
      if (document.visibilityState !== 'visible') return;
      call(acknowledgeReport, { params: { examination: id }, body: { version, is_acknowledged: false } }).then(
        ({ read_version, acknowledged_version }) =>
          queries.setQueryData<Examination>(
            ['examination', id],
            (held) => held && { ...held, my: { ...held.my, read_version, acknowledged_version } },
          ),
        // It is asked again when it is opened again.
        () => undefined,
      );
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [call, queries, id, version, isUnread]);
}
