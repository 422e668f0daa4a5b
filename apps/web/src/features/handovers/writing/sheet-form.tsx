import type { Patient } from '@wardline/contract/chat/chat.ts';
import {
  HANDOVER_SECTIONS,
  HANDOVER_TEXT_MAX,
  type HandoverSheetInput,
  type HandoverSuggestion,
} from '@wardline/contract/examinations/handovers.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { v7 as uuidv7 } from 'uuid';
import { HandoverFrame } from '#/features/handovers/core/handover-frame.tsx';
import { FORMAT_CHOICES, SEVERITY_CHOICES } from '#/features/handovers/core/handover-labels.ts';
import { PatientLine } from '#/features/handovers/core/patient-line.tsx';
import { useSuggestionChanges } from '#/features/handovers/core/use-handover.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import { readLocalTime } from '#/shared/time/local-time.ts';
import { ActionsField } from './actions-field.tsx';
import { OffersField } from './offers-field.tsx';
import { ReceiverField } from './receiver-field.tsx';
import { SectionField } from './section-field.tsx';
import {
  blockedBy,
  changedSuggestion,
  inFormat,
  offersOf,
  type SheetDraft,
  signedLines,
  toSheet,
  withSuggestion,
} from './sheet-draft.ts';
import { SheetFoot } from './sheet-foot.tsx';
import { type Problem, placeProblem } from './sheet-problem.ts';

/** What a signature sends. */
export interface SignedSheet {
  readonly sheet: HandoverSheetInput;
  readonly to: { user_id: string | null; role_id: string | null };
  readonly hands_over_chat: boolean;
}

interface SheetFormProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly myId: string;
  readonly chatPath: string;
  readonly draft: SheetDraft;
  /** What the chat says now; null while it can't be asked. */
  readonly given: {
    readonly patient: Patient | null;
    readonly suggestions: readonly HandoverSuggestion[];
    readonly can_manage: boolean;
  } | null;
  /** Something of it was written, and stands on this device. */
  readonly isKept: boolean;
  /** A signed sheet is corrected, with a reason. */
  readonly isCorrection?: boolean;
  readonly onDraft: (draft: SheetDraft) => void;
  readonly onDiscard: () => void;
  /** Rejects with why it was not signed. */
  readonly onSign: (sheet: SignedSheet) => Promise<void>;
}

/** Writes a sheet: each line says where it comes from, can be taken out, and is its writer's once it was edited. */
export function SheetForm(props: SheetFormProps) {
  const { facility, chatId, chatPath, draft, given, isKept, isCorrection = false, onDraft, onDiscard, onSign } = props;
  useSuggestionChanges(chatId);
  const isOnline = useOnline();
  const confirm = useConfirm();
  const [problem, setProblem] = useState<Problem | null>(null);
  const sheet = useRef<HTMLElement>(null);
  const suggestions = given?.suggestions ?? [];
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  const change = (next: Partial<SheetDraft>) => {
    setProblem(null);
    onDraft({ ...draft, ...next });
  };
  /** Whoever signs stands at the foot of a long sheet. */
  const say = (found: Problem) => {
    flushSync(() => setProblem(found));
    showFirstError(sheet.current);
  };
  const sign = async () => {
    const blocked = blockedBy(draft, isCorrection);
    if (blocked) return say(blocked);
    const outdated = signedLines(draft).find((line) => changedSuggestion(line, suggestions) !== undefined);
    if (outdated) return say({ field: outdated.key, text: 'The chat says something else by now.' });
    const [kind, id = ''] = draft.to.split(':');
    await confirm({
      title: isCorrection ? 'Sign this correction?' : 'Sign and hand over?',
      description: 'It can’t be changed after that. A correction makes a new version, which is received anew.',
      confirmLabel: isCorrection ? 'Sign correction' : 'Sign and hand over',
      confirmColor: 'primary',
      onConfirm: () =>
        onSign({
          sheet: toSheet(draft, (due) => readLocalTime(due, facility.time_zone)),
          to: { user_id: kind === 'user' ? id : null, role_id: kind === 'role' ? id : null },
          hands_over_chat: draft.handsOverChat,
        }).catch((error: unknown) => {
          const said = placeProblem(error, draft);
          setProblem(said);
          // What has its place in the form is said there.
          if (said.field === 'general') throw error;
        }),
    });
  };
  return (
    <HandoverFrame chatPath={chatPath} title={isCorrection ? 'Correct hand-over' : 'Hand over'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is within reach of the keyboard */}
      <section className="pane-scroll hand" aria-label="Hand-over sheet" tabIndex={0} ref={sheet}>
        {!isOnline && (
          <Banner isFlush tone="warning" title="You’re offline.">
            What you write is kept on this device. Signing needs the network.
          </Banner>
        )}
        {given?.patient && <PatientLine patient={given.patient} />}
        <div className="hand-block">
          <RadioGroup
            label="Form"
            isInline
            value={draft.format}
            choices={FORMAT_CHOICES}
            onValueChange={(format) => change(inFormat(draft, format))}
          />
          <RadioGroup
            label={draft.format === 'ipass' ? 'Illness severity' : 'Illness severity (optional)'}
            isInline
            value={draft.severity ?? undefined}
            choices={SEVERITY_CHOICES}
            error={errorOf('severity')}
            onValueChange={(severity) => change({ severity })}
          />
        </div>
        {problem?.field === 'lines' && (
          <p className="hand-block c-error t13" role="alert">
            {problem.text}
          </p>
        )}
        {HANDOVER_SECTIONS[draft.format].map((section) => (
          <SectionField
            key={section}
            {...{ section, draft, suggestions, problem, chatPath }}
            zone={facility.time_zone}
            onLines={(lines) => change({ lines })}
          />
        ))}
        <ActionsField actions={draft.actions} onActions={(actions) => change({ actions })} />
        <OffersField
          offers={offersOf(draft, suggestions)}
          {...{ chatPath, zone: facility.time_zone }}
          onAdd={(suggestion) => change(withSuggestion(draft, suggestion, uuidv7))}
        />
        <ReceiverField
          {...{ facility, chatId }}
          myId={props.myId}
          mayAdd={given?.can_manage ?? false}
          value={draft.to}
          error={errorOf('to')}
          onValue={(to) => change({ to })}
        />
        {given?.can_manage && (
          <div className="hand-block">
            <Checkbox
              label="Hand over the chat as well"
              help="Once it is received, the chat is marked as handed over and the receiver manages it."
              checked={draft.handsOverChat}
              onChange={(event) => change({ handsOverChat: event.target.checked })}
            />
          </div>
        )}
        {isCorrection && (
          <div className="hand-block">
            <Textarea
              label="Why it is corrected"
              rows={2}
              maxLength={HANDOVER_TEXT_MAX}
              dir="auto"
              value={draft.reason}
              error={errorOf('reason')}
              onChange={(event) => change({ reason: event.target.value })}
            />
          </div>
        )}
      </section>
      <SheetFoot
        {...{ isCorrection, isOnline, isKept, onDiscard }}
        problem={problem}
        isSaidAbove={problem?.field === 'lines' || draft.lines.some(({ key }) => key === problem?.field)}
        onSign={() => void sign()}
      />
    </HandoverFrame>
  );
}
