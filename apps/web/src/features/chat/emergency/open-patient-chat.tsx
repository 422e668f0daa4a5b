import { useRouter } from '@tanstack/react-router';
import {
  EMERGENCY_ACCESS_HOURS,
  EMERGENCY_REASON,
  openInEmergency,
  type PatientChat,
} from '@wardline/contract/chat/emergency-access.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { formatIdentifiers, formatPeople, formatState } from '#/features/chat/core/chat-labels.ts';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import type { PatientQuestion } from './find-patient.tsx';

interface OpenPatientChatProps {
  readonly chats: readonly PatientChat[];
  readonly asked: PatientQuestion;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** The patient as the chat has them, to be compared with the one at hand; then which chat, where there are several, and why. */
export function OpenPatientChat({ chats, asked, onBack, onClose }: OpenPatientChatProps) {
  const call = useCall();
  const router = useRouter();
  const formId = useId();
  const isOnline = useOnline();
  // One id for every attempt: a repeat after a lost answer opens nothing twice.
  const clientId = useRef(uuidv7());
  const [chosenId, setChosenId] = useState(chats[0]?.id);
  const chat = chats.find(({ id }) => id === chosenId);
  const go = async (id: string) => {
    onClose();
    await router.navigate({ href: chatPath({ id, facility_id: asked.facilityId }) });
  };
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: 'Say why you need to open it.' },
    async send({ reason }) {
      if (chat === undefined) return;
      const { id } = await call(openInEmergency, {
        params: { facility: asked.facilityId },
        body: {
          client_id: clientId.current,
          chat_id: chat.id,
          identifier: asked.identifier,
          ...(asked.bornOn !== '' && { born_on: asked.bornOn }),
          reason: reason.trim(),
        },
      });
      await go(id);
    },
  });
  if (chat === undefined) return null;
  const { patient } = chat;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={patient.name}
      description={formatIdentifiers(patient)}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onBack}>
            Back
          </Button>
          {chat.is_mine ? (
            <Button onClick={() => void go(chat.id)}>Open chat</Button>
          ) : (
            <Button type="submit" form={formId} color="error" disabled={!isOnline} isLoading={isBusy}>
              Open in an emergency
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
        {chats.length > 1 ? (
          <RadioGroup
            label="Chat"
            value={chosenId}
            onValueChange={setChosenId}
            choices={chats.map((one) => ({ value: one.id, label: one.title, help: formatChat(one) }))}
          />
        ) : (
          <p>
            {chat.title} <span className="muted">· {formatChat(chat)}</span>
          </p>
        )}
        {chat.is_mine ? (
          <Banner tone="info">You are in this chat already.</Banner>
        ) : (
          <>
            <Banner tone="warning" title="Only if you treat this patient now.">
              You read and write in this chat for {EMERGENCY_ACCESS_HOURS} hours. Everybody in it reads your reason at
              once, and it is reviewed afterwards.
            </Banner>
            <Textarea
              label="Why you need to open it"
              name="reason"
              rows={3}
              dir="auto"
              autoComplete="off"
              maxLength={EMERGENCY_REASON.max}
              help={`${EMERGENCY_REASON.min} to ${EMERGENCY_REASON.max} characters.`}
              error={error.fields.reason}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}

function formatChat({ is_mine, participant_count, state }: PatientChat): string {
  const parts = [is_mine && 'you are in it', formatPeople(participant_count), state !== 'open' && formatState[state]];
  return parts.filter(Boolean).join(', ').toLowerCase();
}
