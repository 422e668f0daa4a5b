import { Reply } from 'lucide-react';
import { Avatar } from '#/avatar/avatar.tsx';
import { Button } from '#/button/button.tsx';
import { DayDivider, NewDivider } from '#/chat/dividers.tsx';
import { MessageRow } from '#/chat/message-row.tsx';
import { TypingLine } from '#/chat/typing-line.tsx';
import { AppFrame } from '#/frame/app-frame.tsx';
import { ListRow } from '#/list/list-row.tsx';
import { BedTag } from '#/mark/bed-tag.tsx';
import { Pane, PaneHead, Panes } from '#/panes/panes.tsx';
import type { Specimen } from '../specimen.ts';
import { NAV } from './frame.tsx';

const leila = { avatar: <Avatar alt="Leila Haddad" />, name: 'Leila Haddad', role: 'Staff nurse' };
const ana = { avatar: <Avatar alt="Ana Reyes" />, name: 'Ana Reyes', role: 'Charge nurse' };
const at = (label: string) => ({ label, dateTime: `2026-11-20T${label}:00Z` });

function Messages() {
  return (
    <div className="chat-view">
      <DayDivider dateTime="2026-11-20">Fri 20 Nov, today</DayDivider>
      <MessageRow sender={leila} time={at('00:35')}>
        <p className="m-text">K 6.8 mmol/L, confirmed, not haemolysed.</p>
      </MessageRow>
      <MessageRow
        time={at('00:36')}
        isFocused
        tools={<Button variant="ghost" color="neutral" size="sm" iconOnly icon={Reply} label="Reply" />}
      >
        <p className="m-text">Strip is on the chart.</p>
      </MessageRow>
      <NewDivider />
      <MessageRow sender={ana} time={at('00:37')} isOwn>
        <p className="m-text">Calcium is in.</p>
        <p className="m-read">Read by 3</p>
      </MessageRow>
      <MessageRow time={at('00:38')} isOwn state={{ kind: 'pending', word: 'Waiting to send' }}>
        <p className="m-text">Insulin started, Leila signed with me.</p>
      </MessageRow>
      <MessageRow
        time={at('00:38')}
        isOwn
        state={{
          kind: 'failed',
          word: 'Not sent',
          why: 'The chat was closed.',
          actions: (
            <Button variant="link" size="sm">
              Retry
            </Button>
          ),
        }}
      >
        <p className="m-text">Monitor: rate 58, QRS narrower.</p>
      </MessageRow>
      <TypingLine text="Leila Haddad is typing" />
    </div>
  );
}

function ThreePanes() {
  return (
    <AppFrame productName="Wardline" homeHref="#home" items={NAV} isSlim>
      <Panes
        title="Chats"
        active="chat"
        list={
          <Pane name="list" label="Chats">
            <PaneHead title="Chats" />
            <ListRow
              href="#chat"
              leading={<BedTag unit="3A" bed="12" />}
              title="Edith Maron"
              meta="00:38"
              text="Calcium is in."
              isSelected
            />
          </Pane>
        }
        chat={
          <Pane name="chat" label="Edith Maron">
            <PaneHead
              isContextWhole
              title="Edith Maron, MRN 40-118-236"
              context="Bed 12, MED 3A"
              leading={<BedTag unit="3A" bed="12" />}
              back={{ href: '#chats', label: 'Back to the chats' }}
            />
            <Messages />
          </Pane>
        }
        detail={
          <Pane name="detail" label="Renal profile">
            <PaneHead title="Renal profile" />
            <p className="card-pad">What the chat is about.</p>
          </Pane>
        }
      />
    </AppFrame>
  );
}

export const specimen: Specimen = {
  id: 'chat',
  title: 'Panes and chat',
  group: 'Pages',
  cases: [
    { name: 'Rows of a chat', Show: Messages },
    { name: 'List, chat, detail', Show: ThreePanes, height: 620 },
  ],
};
