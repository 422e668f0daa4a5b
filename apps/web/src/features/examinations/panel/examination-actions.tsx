import type { CriticalFinding } from '@wardline/contract/chat/critical.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { type ExaminationEvent, eventsFrom, isEditable } from '@wardline/examination/transition.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { Ban, FilePenLine, MoreHorizontal, OctagonAlert, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { EVENT_LABELS, REASON_TEXTS } from '#/features/examinations/core/examination-labels.ts';
import { CriticalDialog } from '#/features/examinations/critical/critical-dialog.tsx';
import { undecidedFindings } from '#/features/examinations/critical/undecided.ts';
import type { ExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import type { Question } from '#/shared/forms/dialogs/confirm-dialog.tsx';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import type { Moves } from './use-moves.ts';

interface ExaminationActionsProps {
  readonly examination: Examination;
  readonly form: ExaminationForm;
  readonly moves: Moves;
  /** Whether who looks at it signed the version that holds. */
  readonly isSigner: boolean;
  readonly myId: string;
  readonly subject: Subject;
  readonly isAmending: boolean;
  readonly onAmend: (isAmending: boolean) => void;
}

type Asked = keyof typeof REASON_TEXTS;

const MENU: readonly { event: Exclude<Asked, 'amend'>; icon: typeof Ban }[] = [
  { event: 'return', icon: Undo2 },
  { event: 'cancel', icon: Ban },
  { event: 'mark_in_error', icon: OctagonAlert },
];

const LATER = 'It waits on this device and is sent once you’re back online.';

/** The one next step at the foot of the panel, and what else its state allows behind a button. */
export function ExaminationActions(props: ExaminationActionsProps) {
  const { examination, form, moves, isAmending, onAmend } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Of what is signed now: critical findings that nobody has decided about. */
  const [undecided, setUndecided] = useState<readonly CriticalFinding[]>([]);
  const isOnline = useOnline();
  const foot = useRef<HTMLElement>(null);
  /** False where something is in the way, which comes into view, or where the critical findings are decided about first. */
  const maySignNow = (): boolean => {
    if (flushSync(() => form.blocked(true)) !== null) {
      showFirstError(foot.current?.parentElement ?? null);
      return false;
    }
    const found = undecidedFindings(examination, form.entries(), props.subject);
    setUndecided(found);
    return found.length === 0;
  };
  const step = useNextStep(props, { maySignNow, askWhy: () => maySignNow() && setAsked('amend') });
  const may = (event: ExaminationEvent) => eventsFrom(examination.state).includes(event) && mayDo(examination, event);
  const others = MENU.filter(({ event }) => may(event));
  const mayAmend = may('amend') && !isAmending;
  if (!step && others.length === 0 && !mayAmend) return null;
  return (
    <footer className="pane-acts exam-acts" ref={foot}>
      {others.length > 0 && !isAmending && (
        <Menu
          side="top"
          trigger={
            <Button variant="ghost" color="neutral" iconOnly icon={MoreHorizontal} label="More" className="exam-more" />
          }
        >
          {others.map(({ event, icon }) => (
            <MenuItem key={event} icon={icon} isDanger={event !== 'return'} onSelect={() => setAsked(event)}>
              {EVENT_LABELS[event]}
            </MenuItem>
          ))}
        </Menu>
      )}
      <p className="exam-next">
        {step && <b className="semi strong">{step.title}</b>}
        <span className="t12 muted">{isOnline ? step?.help : LATER}</span>
        {step?.error && (
          <span className="t12 c-error" role="alert">
            {step.error}
          </span>
        )}
      </p>
      {mayAmend && (
        <Button
          className="exam-more"
          variant="outline"
          color="neutral"
          size="lg"
          icon={FilePenLine}
          onClick={() => onAmend(true)}
        >
          {EVENT_LABELS.amend}
        </Button>
      )}
      {isAmending && (
        <Button
          className="exam-more"
          variant="ghost"
          color="neutral"
          onClick={() => {
            form.discard();
            onAmend(false);
          }}
        >
          Discard
        </Button>
      )}
      {step && (
        <Button size="lg" isLoading={step.isBusy} onClick={step.run}>
          {step.label}
        </Button>
      )}
      {undecided.length > 0 && (
        <CriticalDialog
          {...{ examination, isAmending, myId: props.myId, findings: undecided, reason: moves.reason }}
          onClose={() => setUndecided([])}
          onDecide={async (decided, reason) => {
            await moves.sign(reason, decided);
            onAmend(false);
          }}
        />
      )}
      {asked && (
        <ReasonDialog
          {...REASON_TEXTS[asked]}
          isDanger={asked === 'cancel' || asked === 'mark_in_error'}
          onClose={() => setAsked(null)}
          reason={moves.reason}
          offline={LATER}
          maxLength={500}
          onSend={async ({ reason }) => {
            if (asked !== 'amend') return moves.move(asked, reason);
            await moves.sign(reason);
            onAmend(false);
          }}
        />
      )}
    </footer>
  );
}

function mayDo({ my }: Examination, event: ExaminationEvent): boolean {
  if (event === 'mark_in_error') return my.can_mark_in_error;
  return event === 'sign' || event === 'amend' ? my.can_sign : my.can_write;
}

interface Step {
  readonly title: string;
  readonly help: string;
  readonly label: string;
  readonly run: () => void;
  readonly isBusy: boolean;
  readonly error: string | null;
}

/** What comes next by its state, for who may do it; null where nothing does. */
function useNextStep(
  { examination, form, moves, isSigner, isAmending }: ExaminationActionsProps,
  { askWhy, maySignNow }: { readonly askWhy: () => void; readonly maySignNow: () => boolean },
): Step | null {
  const confirm = useConfirm();
  const { template, report_version, my, must_acknowledge } = examination;
  const next = useAction(async () => {
    const { state } = examination;
    if (state === 'draft') {
      await moves.move('request');
      if (template.is_bedside) await moves.move('start');
    } else if (state === 'requested') await moves.move('start');
    else if (isEditable(state)) {
      if (maySignNow()) await confirm(toSigning(moves));
    } else await moves.acknowledge();
  });
  const { isBusy } = next;
  const error = next.error ?? form.inTheWay;
  // What was pressed changes the state before it is over: the step after it shows only once it takes a press.
  const state = useSteady(examination.state, isBusy);
  const step = (title: string, help: string, label: string, run = next.run) => ({
    ...{ title, help, label, run, isBusy, error },
  });
  if (isAmending) {
    const help = 'What you change makes a new version.';
    return step(`Next: sign version ${report_version + 1}`, help, 'Sign amendment', askWhy);
  }
  switch (state) {
    case 'draft':
      if (!my.can_write) return null;
      return template.is_bedside
        ? step('Next: start', 'Done at the bedside', 'Start')
        : step('Next: request', 'Asks for it in the chat', 'Request');
    case 'requested':
      return my.can_write ? step('Next: start', 'Whoever does it enters what they find', 'Start') : null;
    case 'in_progress':
      return my.can_sign ? step('Next: sign', 'Makes version 1 of the report', 'Sign report') : null;
    case 'reported':
    case 'amended':
      if (isSigner || my.acknowledged_version === report_version) return null;
      return must_acknowledge
        ? step('Changed since you read it', `Version ${report_version} replaces it`, 'Acknowledge')
        : step('Next: acknowledge', 'Says that you have seen it', 'Acknowledge');
    default:
      return null;
  }
}

/** A value that stays as it was last drawn for as long as that is wanted. */
function useSteady<Value>(value: Value, isSteady: boolean): Value {
  const [drawn, setDrawn] = useState(value);
  if (isSteady) return drawn;
  if (drawn !== value) setDrawn(value);
  return value;
}

function toSigning(moves: Moves): Question {
  return {
    title: 'Sign this report?',
    description:
      'It can’t be changed after that. An amendment makes a new version and asks everyone who read this one.',
    confirmLabel: 'Sign report',
    confirmColor: 'primary',
    onConfirm: () => moves.sign(),
  };
}
