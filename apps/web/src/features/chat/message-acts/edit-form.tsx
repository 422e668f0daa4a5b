import { MESSAGE_BODY_MAX, type Message } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { GrowingTextarea } from '@wardline/ui/input/growing-textarea.tsx';
import { useEffect, useRef, useState } from 'react';
import { isEnter } from '#/features/chat/core/is-enter.ts';
import type { MessageActs } from './message-acts.ts';

interface EditFormProps {
  readonly message: Message;
  readonly acts: MessageActs;
}

/** The text of one's message, to be written anew in its place. */
export function EditForm({ message, acts }: EditFormProps) {
  const [text, setText] = useState(acts.editing?.text ?? message.body);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const body = text.trim();
  const maySave = body !== '' && body.length <= MESSAGE_BODY_MAX;
  useEffect(() => {
    const box = textarea.current;
    // Scrolled back to, it leaves whoever writes elsewhere by now where they are.
    if (document.activeElement?.matches('input, textarea')) return;
    box?.focus({ preventScroll: true });
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  /** The box goes, and the focus to where its message is walked to by the keys. */
  const close = () => {
    textarea.current?.closest('.m')?.querySelector<HTMLElement>('.m-when')?.focus({ preventScroll: true });
    acts.onEdit(null);
  };
  const save = () => {
    if (!maySave) return;
    if (body !== message.body) {
      acts.change({ type: 'edit', messageId: message.id, body, version: message.version ?? 1 });
    }
    close();
  };
  return (
    <form
      className="m-edit"
      aria-label="Edit message"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <GrowingTextarea
        ref={textarea}
        label="Message text"
        dir="auto"
        className="m-edit-text"
        value={text}
        maxLength={MESSAGE_BODY_MAX}
        onChange={({ target }) => {
          setText(target.value);
          // The row goes when it is scrolled away; what was written comes back with it.
          acts.onEdit(message, target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          if (!isEnter(event)) return;
          event.preventDefault();
          save();
        }}
      />
      <div className="m-edit-acts">
        <Button size="sm" type="submit" disabled={!maySave}>
          Save
        </Button>
        <Button size="sm" variant="ghost" color="neutral" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
