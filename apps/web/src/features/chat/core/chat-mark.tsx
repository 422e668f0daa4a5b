import type { Chat } from '@wardline/contract/chat/chat.ts';
import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { BedTag } from '@wardline/ui/mark/bed-tag.tsx';
import { Megaphone, Users } from 'lucide-react';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { bedParts } from './bed-parts.ts';
import { chatName } from './chat-labels.ts';
import type { Person } from './chat-view.ts';

const glyphs = { group: Users, announcement: Megaphone } as const;

/** What stands before a chat's name: the bed of a case, initials of a person, a glyph of a group. */
export function ChatMark({ chat, me }: { chat: Chat; me: Person }) {
  const bed = chat.patient?.bed;
  if (bed) return <BedTag {...bedParts(bed)} />;
  const glyph = chat.kind === 'group' || chat.kind === 'announcement' ? glyphs[chat.kind] : undefined;
  if (chat.direct) return <PersonAvatar name={chat.direct.name} url={chat.direct.avatar_url} size={40} />;
  return <Avatar alt={chatName(chat, me)} size={40} icon={glyph} />;
}
