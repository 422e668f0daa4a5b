import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { DayDivider, NewDivider } from '@wardline/ui/chat/dividers.tsx';
import { MessageRow } from '@wardline/ui/chat/message-row.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { BedTag } from '@wardline/ui/mark/bed-tag.tsx';
import { CheckCheck } from 'lucide-react';

const day = '2026-11-20';
const at = (label: string) => ({ label, dateTime: `${day}T${label}:00Z` });

/** A case chat as the product draws it, with invented people. */
export function ChatSpecimen() {
  return (
    <figure className="spec">
      <div className="spec-frame">
        <div className="spec-head">
          <BedTag unit="3A" bed="12" />
          <div className="grow">
            <p className="spec-title">Harriet Vale</p>
            <p className="spec-sub">MRN 71-204-588 · born 3 Sep 1951</p>
          </div>
        </div>
        <div className="chat-view">
          <DayDivider dateTime={day}>Fri 20 Nov</DayDivider>
          <MessageRow
            sender={{ avatar: <Avatar alt="Nora Ashby" />, name: 'Nora Ashby', role: 'Staff nurse' }}
            time={at('00:31')}
          >
            <p className="m-text">Repeat potassium is drawn and on its way to the lab.</p>
          </MessageRow>
          <MessageRow
            isOwn
            sender={{ avatar: <Avatar alt="Sam Whitfield" />, name: 'Sam Whitfield', role: 'you' }}
            time={at('00:33')}
          >
            <p className="m-text">Thank you. Monitor is on, no change since ten.</p>
            <p className="m-read">
              <Icon of={CheckCheck} size="sm" />
              Read by 4
            </p>
          </MessageRow>
          <NewDivider />
          <MessageRow
            sender={{ avatar: <Avatar alt="Judith Lund" />, name: 'Dr. Judith Lund', role: 'Medical registrar' }}
            time={at('00:37')}
          >
            <p className="m-text">Coming up now. Please keep her fasting until I have seen her.</p>
          </MessageRow>
        </div>
      </div>
      <figcaption>A case chat. The people in it are invented.</figcaption>
    </figure>
  );
}
