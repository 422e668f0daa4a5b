import type { Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalAlert } from '@wardline/contract/chat/critical.ts';
import { receiveCritical } from '@wardline/contract/chat/critical-acts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { MessageSquareQuote } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { ReadBackDialog } from './read-back-dialog.tsx';

interface ReadBackProps {
  readonly message: Message;
  readonly alert: CriticalAlert;
}

/** The one big button for who was called about a critical result. That they have it is known from the press on. */
export function ReadBack({ message, alert }: ReadBackProps) {
  const call = useCall();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsOpen(true);
    // Where it is not stored, the read-back says it as well.
    call(receiveCritical, { params: { chat: message.chat_id, message: message.id } }).catch(() => undefined);
  };
  return (
    <>
      <Button size="xl" icon={MessageSquareQuote} onClick={open}>
        Read back
      </Button>
      {isOpen && <ReadBackDialog {...{ message, alert }} onClose={() => setIsOpen(false)} />}
    </>
  );
}
