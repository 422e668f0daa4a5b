import { MESSAGE_BODY_MAX } from '@wardline/contract/chat/chat.ts';
import { formatCount } from '@wardline/format/counts.ts';

/** How much of the room that a message has is taken, or how much too much. */
export function ComposerCount({ length }: { readonly length: number }) {
  const isTooLong = length > MESSAGE_BODY_MAX;
  return (
    <p className={isTooLong ? 'composer-count c-error' : 'composer-count'} role="status">
      {isTooLong
        ? `${formatCount(length - MESSAGE_BODY_MAX)} characters too many`
        : `${formatCount(length)} of ${formatCount(MESSAGE_BODY_MAX)}`}
    </p>
  );
}
