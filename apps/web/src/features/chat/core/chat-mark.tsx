import type { Chat } from '@wardline/contract/chat/chat.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { BedTag } from '@wardline/ui/mark/bed-tag.tsx';
import { Headset, Megaphone, Users } from 'lucide-react';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { bedParts } from './bed-parts.ts';
import { chatName } from './chat-labels.ts';
import type { Person } from './chat-view.ts';

const glyphs: Partial<Record<Chat['kind'], typeof Users>> = { group: Users, announcement: Megaphone };

/** What stands before a chat's name: the bed of a case, initials of a person, a glyph of a group or an on-call role. */
export function ChatMark({ chat, me }: { chat: Chat; me: Person }) {
  const bed = chat.patient?.bed;
  if (bed) return <BedTag {...bedParts(bed)} />;
  if (chat.direct) return <PersonAvatar name={chat.direct.name} url={chat.direct.avatar_url} size={40} />;
  return (
    <Avatar alt={chatName(chat, me)} size={40} icon={chat.direct_role?.person === null ? Headset : glyphs[chat.kind]} />
  );
}
