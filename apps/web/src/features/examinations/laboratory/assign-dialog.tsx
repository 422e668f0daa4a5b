import {
  assignLaboratoryResult,
  RESULT_REASON_MAX,
  type UnmatchedResult,
} from '@wardline/contract/examinations/laboratory.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { isCritical } from '@wardline/examination/reference-range.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';
import type { Chats } from './laboratory-queries.ts';

interface AssignDialogProps {
  readonly facility: Facility;
  readonly result: UnmatchedResult;
  readonly chats: Chats;
  readonly onAssigned: () => Promise<void>;
  readonly onClose: () => void;
}

/** Says whose a result is: in which of one's chats it belongs, and why, where it names somebody else. */
export function AssignDialog({ facility, result, chats, onAssigned, onClose }: AssignDialogProps) {
  const call = useCall();
  const formId = useId();
  const isOnline = useOnline();
  const [chatId, setChatId] = useState('');
  const [missing, setMissing] = useState<string>();
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    async send({ reason }) {
      if (chatId === '') return setMissing('Choose a chat.');
      const params = { facility: facility.id, result: result.id };
      const body = { version: result.version, chat_id: chatId, reason: reason.trim() || null };
      await call(assignLaboratoryResult, { params, body });
      sayDone('The result is in the chat');
      await onAssigned();
      onClose();
    },
  });
  const { patient } = result;
  const isGrave = result.findings.some(({ interpretation }) => isCritical(interpretation));
  const named = [patient.name, patient.born_on && `born ${formatBirthDate(patient.born_on)}`, ...patient.identifiers];
  const ranked = chats.toSorted((a, b) => likeness(result, b) - likeness(result, a));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={`Assign ${result.title}`}
      description={`The laboratory names ${named.filter(Boolean).join(', ')}.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" form={formId} disabled={!isOnline} isLoading={isBusy}>
            Assign
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
        {isGrave && (
          <Banner tone="warning">A critical value is in it: people are called as soon as it is assigned.</Banner>
        )}
        {chats.length === 0 ? (
          <Banner tone="warning">You write in no open chat about a patient. Start one, or ask to be added.</Banner>
        ) : (
          <Select
            label="Chat"
            placeholder="Choose the patient"
            value={chatId}
            onValueChange={(value) => {
              setChatId(value);
              setMissing(undefined);
            }}
            error={missing}
            options={ranked.map((chat) => ({ value: chat.id, label: labelOf(chat) }))}
          />
        )}
        <Textarea
          label="Reason"
          name="reason"
          rows={2}
          dir="auto"
          autoComplete="off"
          maxLength={RESULT_REASON_MAX}
          help="Needed where number, name or date of birth differ."
          error={error.fields.reason}
        />
      </form>
    </Dialog>
  );
}

function labelOf({ patient: { name, identifier, born_on } }: Chats[number]): string {
  return [name, formatIdentifier(identifier), born_on && `born ${formatBirthDate(born_on)}`].filter(Boolean).join(', ');
}

/** How much of what the laboratory says fits: those who fit best stand first. */
function likeness({ patient }: UnmatchedResult, chat: Chats[number]): number {
  const fold = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/^mrn/, '');
  const hasNumber = patient.identifiers.some((one) => fold(one) === fold(chat.patient.identifier));
  const isBorn = patient.born_on !== null && patient.born_on === chat.patient.born_on;
  return (hasNumber ? 4 : 0) + (isBorn ? 2 : 0) + (fold(patient.name) === fold(chat.patient.name) ? 1 : 0);
}
