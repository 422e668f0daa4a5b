import type { Message } from '@wardline/contract/chat/chat.ts';
import { DELETE_REASON_MAX } from '@wardline/contract/chat/chat-changes.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useRef, useState } from 'react';
import { excerptOf } from './quote.tsx';

const OTHER = 'other';
const REASONS = ['Wrong patient', 'Wrong chat', 'Mistake in the text', 'Sent twice'] as const;

interface DeleteDialogProps {
  readonly message: Message;
  readonly onDelete: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks why a message is taken away: everybody in the chat sees that it was, by whom and why. */
export function DeleteDialog({ message, onDelete, onClose }: DeleteDialogProps) {
  const [choice, setChoice] = useState<string>();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const why = useRef<HTMLDivElement>(null);
  const remove = () => {
    const reason = choice === OTHER ? text.trim() : choice;
    if (!reason) {
      setError(choice === OTHER ? 'Enter a reason.' : 'Choose a reason.');
      why.current?.querySelector<HTMLInputElement>(choice === OTHER ? '[maxlength]' : 'input')?.focus();
      return;
    }
    onDelete(reason);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete this message?"
      description="Its text is taken off everybody’s device. That you deleted it, when and why stays in the chat."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Keep it
          </Button>
          <Button color="error" onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p className="m-quote">
        <span className="m-quote-text">{excerptOf(message)}</span>
      </p>
      <div ref={why} className="stack stack-4">
        <RadioGroup
          label="Reason"
          value={choice}
          onValueChange={(value) => {
            setChoice(value);
            setError(undefined);
          }}
          error={choice === OTHER ? undefined : error}
          choices={[...REASONS.map((reason) => ({ value: reason, label: reason })), { value: OTHER, label: 'Another' }]}
        />
        {choice === OTHER && (
          <TextInput
            label="In your words"
            help="Without the text or the patient: everybody in the chat reads it."
            error={error}
            value={text}
            maxLength={DELETE_REASON_MAX}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
    </Dialog>
  );
}
