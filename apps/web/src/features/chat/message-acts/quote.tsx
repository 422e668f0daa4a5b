import type { Message } from '@wardline/contract/chat/chat.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Reply, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { forwardMark, inOneLine } from '#/features/chat/core/chat-labels.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { plainText } from '#/features/chat/core/message-markdown.ts';

const LONGEST = 160;

/** The first words of a message, on one line and without its marks. */
export function excerptOf(message: Pick<Message, 'body' | 'attachments' | 'deleted' | 'forwarded'>): string {
  if (message.deleted) return 'Deleted message';
  return (
    forwardMark(message.forwarded) +
    [...plainText(inOneLine(message)).replaceAll(/\s+/gu, ' ')].slice(0, LONGEST).join('')
  );
}

interface QuoteProps {
  readonly seq: number;
  /** Undefined until it is known; null where there is none for me. */
  readonly message: Message | null | undefined;
  readonly me: Pick<Person, 'id'>;
  readonly onSeen: (seq: number) => void;
  readonly onShow: (seq: number) => void;
}

/** What a message answers: a press leads to it. */
export function Quote({ seq, message, me, onSeen, onShow }: QuoteProps) {
  useQuoteSeen(seq, message, onSeen);
  if (message === null) return <p className="m-quote">An earlier message</p>;
  if (message === undefined) return <p className="m-quote" aria-busy="true" />;
  return (
    <button type="button" className="m-quote" onClick={() => onShow(seq)}>
      <Icon of={Reply} size="sm" />
      <span className="m-quote-name">{message.sender.id === me.id ? 'You' : message.sender.name}</span>
      <span className="m-quote-text">{excerptOf(message)}</span>
    </button>
  );
}

function useQuoteSeen(seq: number, message: Message | null | undefined, onSeen: (seq: number) => void): void {
  const isMissing = message === undefined;
  const seen = useEffectEvent(() => isMissing && onSeen(seq));
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when it went missing
  useEffect(() => {
    seen();
  }, [isMissing, seq]);
}

interface ReplyBarProps extends Omit<QuoteProps, 'onShow'> {
  readonly onCancel: () => void;
}

/** Over the box one writes in: what the next message will answer. */
export function ReplyBar({ seq, message, me, onSeen, onCancel }: ReplyBarProps) {
  useQuoteSeen(seq, message, onSeen);
  return (
    <div className="composer-reply">
      {message ? (
        <p className="m-quote" role="status">
          <Icon of={Reply} size="sm" />
          <span className="sr">Reply to </span>
          <span className="m-quote-name">{message.sender.id === me.id ? 'You' : message.sender.name}</span>
          <span className="m-quote-text">{excerptOf(message)}</span>
        </p>
      ) : (
        <p className="m-quote" aria-busy={message === undefined}>
          {message === null && 'An earlier message'}
        </p>
      )}
      <Button
        variant="ghost"
        color="neutral"
        size="sm"
        iconOnly
        icon={X}
        label="Don’t reply to this message"
        onClick={({ currentTarget }) => {
          // This button goes.
          currentTarget.closest('form')?.querySelector('textarea')?.focus();
          onCancel();
        }}
      />
    </div>
  );
}
