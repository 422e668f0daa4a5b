import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { MessageRow } from '@wardline/ui/thread/message-row.tsx';
import { CloudOff } from 'lucide-react';

/** A thread without a network: what was written stands there and waits. */
export function OfflineSpecimen() {
  return (
    <figure className="spec">
      <div className="spec-frame">
        <Banner tone="neutral" icon={CloudOff} title="Offline." announce="none" isFlush>
          1 message will send when you’re back online.
        </Banner>
        <div className="thread">
          <MessageRow
            sender={{ avatar: <Avatar alt="Jonah Price" />, name: 'Jonah Price', role: 'Porter' }}
            time={{ label: '04:12', dateTime: '2026-11-20T04:12:00Z' }}
          >
            <p className="m-text">I am in the lift with bed 7, no signal for a minute.</p>
          </MessageRow>
          <MessageRow
            isOwn
            sender={{ avatar: <Avatar alt="Sam Whitfield" />, name: 'Sam Whitfield', role: 'you' }}
            time={{ label: '04:13', dateTime: '2026-11-20T04:13:00Z' }}
            state={{ kind: 'pending', word: 'Waiting to send' }}
          >
            <p className="m-text">Room is ready, come straight through.</p>
          </MessageRow>
        </div>
      </div>
      <figcaption>A chat where there is no network.</figcaption>
    </figure>
  );
}
