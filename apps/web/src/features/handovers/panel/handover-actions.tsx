import { useRouter } from '@tanstack/react-router';
import { HANDOVER_TEXT_MAX, type Handover, moveHandover } from '@wardline/contract/examinations/handovers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { MessageCircleQuestionMark } from 'lucide-react';
import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { SYNTHESIS_LABELS } from '#/features/handovers/core/handover-labels.ts';
import { useHandover, useKeepHandover } from '#/features/handovers/core/use-handover.ts';
import { useKept } from '#/features/handovers/writing/use-kept.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { useAction } from '#/shared/forms/use-action.ts';

const REASONS = {
  decline: {
    title: 'Decline this hand-over?',
    description:
      'The reason stands in the chat: not me, wrong patient, something is missing. Whoever gave it can give it to somebody else.',
    submitLabel: 'Decline',
  },
  withdraw: {
    title: 'Withdraw this hand-over?',
    description: 'The reason stands in the chat. The sheet stays, and nobody can receive it.',
    submitLabel: 'Withdraw',
  },
} as const;

interface HandoverActionsProps {
  readonly handover: Handover;
  readonly chatPath: string;
  readonly onCorrect: () => void;
}

/** The one next step at the foot of the panel: to receive it, for whom it was given to; to withdraw or correct it, for who gave it. */
export function HandoverActions({ handover, chatPath, onCorrect }: HandoverActionsProps) {
  const { my } = handover;
  const { move } = useMove(handover);
  const [asked, setAsked] = useState<keyof typeof REASONS | null>(null);
  const isOnline = useOnline();
  if (!my.can_receive && !my.can_withdraw && !my.can_correct) return null;
  return (
    <footer className={my.can_receive ? 'hand-receive' : 'pane-acts'}>
      {my.can_receive ? (
        <Receive {...{ handover, chatPath }} onDecline={() => setAsked('decline')} />
      ) : (
        <>
          <p className="hand-next t12 muted">{isOnline ? '' : 'You’re offline: this needs the network.'}</p>
          {my.can_withdraw && (
            <Button variant="ghost" color="neutral" disabled={!isOnline} onClick={() => setAsked('withdraw')}>
              Withdraw
            </Button>
          )}
          {my.can_correct && (
            <Button variant="outline" color="neutral" size="lg" onClick={onCorrect}>
              {handover.state === 'declined' ? 'Give it again' : 'Correct'}
            </Button>
          )}
        </>
      )}
      {asked && (
        <ReasonDialog
          {...REASONS[asked]}
          isDanger={asked === 'decline'}
          onClose={() => setAsked(null)}
          maxLength={500}
          onSend={({ reason }) => move(asked, reason)}
        />
      )}
    </footer>
  );
}

interface ReceiveProps extends Omit<HandoverActionsProps, 'onCorrect'> {
  readonly onDecline: () => void;
}

const Synthesis = z.object({ text: z.string() });

/** What the receiver understood, in their own words, and their signature. */
function Receive({ handover, chatPath, onDecline }: ReceiveProps) {
  const { move } = useMove(handover);
  const isOnline = useOnline();
  const ask = useWayToComposer(chatPath);
  const kept = useKept(typedNames.synthesis(handover.id), handover.chat_id, Synthesis);
  const [isEmpty, setIsEmpty] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const text = kept.value?.text ?? '';
  const sign = useAction(async () => {
    setIsEmpty(text.trim() === '');
    if (text.trim() === '') return box.current?.focus();
    await move('receive', text.trim());
    kept.set(null);
  });
  return (
    <>
      <Textarea
        ref={box}
        label={SYNTHESIS_LABELS[handover.format]}
        help="In your own words: what is the matter, what will you do, what do you watch for?"
        rows={3}
        maxLength={HANDOVER_TEXT_MAX}
        dir="auto"
        value={text}
        error={isEmpty ? 'Say in your own words what you understood.' : undefined}
        onChange={(event) => {
          setIsEmpty(false);
          kept.set({ text: event.target.value });
        }}
      />
      {sign.error && (
        <p className="c-error t13" role="alert">
          {sign.error}
        </p>
      )}
      {!isOnline && (
        <p className="t12 muted">You’re offline. What you write is kept on this device; signing needs the network.</p>
      )}
      <div className="hand-receive-acts">
        <Button variant="ghost" color="neutral" icon={MessageCircleQuestionMark} onClick={ask}>
          Ask in chat
        </Button>
        <Button variant="outline" color="neutral" disabled={!isOnline} onClick={onDecline}>
          Decline
        </Button>
        <Button size="lg" isLoading={sign.isBusy} disabled={!isOnline} onClick={sign.run}>
          Sign and receive
        </Button>
      </div>
    </>
  );
}

/** Moves it on at the version that is shown; who was overtaken sees how it stands now, and why nothing happened. */
function useMove({ id, version: expected_version }: Handover) {
  const call = useCall();
  const keep = useKeepHandover();
  const { refetch } = useHandover(id);
  return {
    async move(event: 'receive' | 'decline' | 'withdraw', text: string) {
      const body = { event, expected_version, text };
      keep(await loadAnewOnConflict(call(moveHandover, { params: { handover: id }, body }), refetch));
    },
  };
}

/** To where one asks: beside it where the chat is in view, else on its page. */
function useWayToComposer(chatPath: string): () => void {
  const router = useRouter();
  return () => {
    const box = document.querySelector<HTMLTextAreaElement>('.composer textarea');
    if (box && box.getClientRects().length > 0) box.focus();
    else void router.navigate({ href: chatPath });
  };
}
