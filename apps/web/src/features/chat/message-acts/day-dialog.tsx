import { type Chat, listMessages } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { type FormEvent, useId, useState } from 'react';
import type { TimelineItem } from '#/features/chat/core/chat-view.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { dayIn, formatDay } from '#/shared/time/zoned-time.ts';
import { heldDaySeq } from './held-day.ts';

// The dialog gives the focus back to what opened it before the message takes it.
const focusBackMs = 50;

export interface DayDialogProps {
  readonly chat: Chat;
  readonly items: readonly TimelineItem[];
  readonly timeZone: string;
  /** The day from which one goes. */
  readonly day: string;
  readonly onShow: (seq: number) => void;
  readonly onClose: () => void;
}

/** Leads to the first message of a day, or of the next day with one. */
export function DayDialog({ chat, items, timeZone, onShow, onClose, ...given }: DayDialogProps) {
  const call = useCall();
  const formId = useId();
  const [day, setDay] = useState(given.day);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const today = dayIn(timeZone, Date.now());

  const find = async () => {
    const held = heldDaySeq(items, timeZone, day);
    if (held !== null) return held;
    const { on_seq } = await call(listMessages, { params: { chat: chat.id }, query: { on: day, limit: 1 } });
    return on_seq ?? null;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (day === '') return setError('Choose a date.');
    setIsBusy(true);
    try {
      const seq = await find();
      if (seq === null) return setError(`No messages on ${formatDay(day, today)} or later.`);
      onClose();
      setTimeout(onShow, focusBackMs, seq);
    } catch (failure) {
      setError(formatFailure(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Go to date"
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Go
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Date"
          type="date"
          value={day}
          max={today}
          error={error}
          onChange={(event) => {
            setDay(event.target.value);
            setError(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
