import type { Message } from '@wardline/contract/chat/chat.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import type { MessageActs } from './message-acts.ts';
import { formatNames, groupReactions, reactionLabels } from './reaction-labels.ts';

interface ReactionsProps {
  readonly message: Message;
  readonly acts: MessageActs;
}

/** The reactions under a message: what, and by whom; a press gives or takes back one's own. */
export function Reactions({ message, acts }: ReactionsProps) {
  const groups = groupReactions(message.reactions ?? [], acts.myId);
  return (
    <ul className="m-reactions" aria-label="Reactions">
      {groups.map(({ code, isMine, names }) => {
        const { word, icon } = reactionLabels[code];
        return (
          <li key={code}>
            <button
              type="button"
              className="m-reaction"
              aria-pressed={isMine}
              title={names.length > 2 ? names.join(', ') : undefined}
              disabled={!acts.mayReact}
              onClick={() => acts.change({ type: 'react', messageId: message.id, code, isSet: !isMine })}
            >
              <Icon of={icon} size="sm" />
              <span className="m-reaction-word">{word}</span>
              <span>{formatNames(names)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
