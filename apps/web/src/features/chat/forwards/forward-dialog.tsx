import {
  type Chat,
  type Forwarded,
  MESSAGE_BODY_MAX,
  type Message,
  WRITABLE_STATES,
} from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Forward } from 'lucide-react';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { chatName, inOneLine, readOnlyReason } from '#/features/chat/core/chat-labels.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { ForwardedFrom } from '#/features/chat/message-acts/message-marks.tsx';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import { useChats, useConnection } from '#/features/chat/runtime/hooks.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { ChatPicker } from './chat-picker.tsx';
import './forwards.css';

interface ForwardDialogProps {
  readonly message: Message;
  /** Where it is. */
  readonly chat: Chat;
  readonly me: Person;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** Asks where a message is to go, and puts it into the outbox for each chat, after one's own words where there are any. */
export function ForwardDialog({ message, chat, me, timeZone, onClose }: ForwardDialogProps) {
  const { items } = useChats();
  const { unsent } = useChatRuntime();
  const { isOnline } = useConnection();
  const [chosen, setChosen] = useState<readonly Chat[]>([]);
  const [text, setText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const forwarded = toForwarded(message, chat);
  const source = { chat: message.chat_id, message: message.id };
  const targets = items.map((item) => item.chat).filter((one) => isTarget(one, chat));

  const submit = async () => {
    setIsBusy(true);
    let rest = chosen;
    try {
      for (const { id: lane } of chosen) {
        const add = (payload: Parameters<typeof unsent.add>[0]['payload']) =>
          unsent.add({ clientId: uuidv7(), lane, payload, writtenAt: new Date().toISOString() });
        const body = text.trim();
        // Both go in this order: messages of a chat leave one after the other.
        if (body !== '') await add({ body });
        await add({ body: '', forward: { source, body: inOneLine(message), forwarded } });
        rest = rest.slice(1);
      }
      sayOnItsWay(chosen.length === 1 && chosen[0] ? chatName(chosen[0], me) : `${chosen.length} chats`, isOnline);
      onClose();
    } catch (failure) {
      setChosen(rest);
      setError(failure instanceof Error ? failure.message : 'Try again.');
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Forward message"
      closesOutside={chosen.length === 0 && text === ''}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={chosen.length === 0} isLoading={isBusy} onClick={() => void submit()}>
            {chosen.length > 1 ? `Forward to ${chosen.length} chats` : 'Forward'}
          </Button>
        </>
      }
    >
      {error && (
        <Banner tone="error">{`Not forwarded to ${chosen.map((one) => chatName(one, me)).join(', ')}. ${error}`}</Banner>
      )}
      {!isOnline && <Banner tone="info">You’re offline. It will be sent when you’re back online.</Banner>}
      <ChatPicker {...{ targets, chosen, me }} patient={forwarded.patient} onChange={setChosen} />
      <Textarea
        label="Your own words"
        help="Optional. Sent just before it."
        className="forward-text-box"
        dir="auto"
        value={text}
        maxLength={MESSAGE_BODY_MAX}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="forward-note">
        <ForwardedFrom {...{ forwarded, timeZone }} myId={me.id} />
        <p className="forward-text" dir="auto">
          {inOneLine(message)}
        </p>
      </div>
    </Dialog>
  );
}

/** Another chat of the same facility in which I may write. */
function isTarget(one: Chat, { id, facility_id }: Chat): boolean {
  return (
    one.id !== id &&
    one.facility_id === facility_id &&
    WRITABLE_STATES.includes(one.state) &&
    readOnlyReason(one) === null
  );
}

/** As the server will make it; what is shown until then. */
function toForwarded({ sender, created_at: sent_at, forwarded }: Message, { patient }: Chat): Forwarded {
  const first = forwarded ?? { sender, sent_at, patient: null };
  if (first.patient || !patient) return first;
  const { name, identifier, born_on } = patient;
  return { ...first, patient: { name, identifier, born_on } };
}

/** In passing: each chat shows it waiting, and then sent. */
function sayOnItsWay(where: string, isOnline: boolean): void {
  const title = isOnline ? `On its way to ${where}` : `Will be sent to ${where} when you’re back online`;
  showToast({ title, icon: Forward }).catch(() => undefined);
}
