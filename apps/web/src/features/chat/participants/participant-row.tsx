import type { Participant, ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import { MoreHorizontal, UserCheck, UserMinus } from 'lucide-react';
import { PersonLink } from '#/features/chat/core/person-link.tsx';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { PresenceMark } from '#/shared/presence/presence-mark.tsx';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { accessLabels, formatMarker } from './participant-labels.ts';

interface ParticipantRowProps {
  readonly person: Participant;
  readonly facility: Facility;
  readonly presence: Presence | undefined;
  readonly headSeq: number;
  readonly isMe: boolean;
  /** Has the chat open now. */
  readonly isHere: boolean;
  /** What may be done about this person; without it the row only reads. */
  readonly acts?: ParticipantActs | undefined;
}

export interface ParticipantActs {
  /** What one may be given here. */
  readonly choices: readonly ParticipantAccess[];
  readonly onAccess: (person: Participant, access: ParticipantAccess) => void;
  /** Lets who opened the chat in an emergency stay. */
  readonly onKeep: (person: Participant) => void;
  readonly onRemove: (person: Participant) => void;
}

/** A person of a chat: who, how far they have got, and a menu for who may manage the chat. */
export function ParticipantRow({ person, facility, presence, headSeq, isMe, isHere, acts }: ParticipantRowProps) {
  const { name, title, access, emergency_until: until = null } = person;
  const joined = person.joined_seq ? 'sees messages since they were added' : null;
  const link = (
    <PersonLink facilityId={facility.id} person={{ id: person.user_id, name, title, avatarUrl: person.avatar_url }} />
  );
  const text = [title, isMe ? null : formatMarker(person, headSeq), joined].filter(Boolean).join(' · ');
  return (
    <ListRow
      leading={
        <PersonAvatar
          name={name}
          url={person.avatar_url}
          size={40}
          {...(isHere ? { presence: { tone: 'success', label: 'has this chat open' } } : {})}
        />
      }
      title={isMe ? `${name} (you)` : link}
      mark={
        <>
          {isHere && <Badge>Here now</Badge>}
          {access === 'manage' && <Badge>Manager</Badge>}
          {access === 'read' && <Badge>Read only</Badge>}
          {person.is_by_role && <Badge>On call</Badge>}
          {until !== null && (
            <Badge tone="line">Emergency access until {timeIn(facility.time_zone, Date.parse(until))}</Badge>
          )}
        </>
      }
      isTextWhole
      text={
        <>
          <PresenceMark presence={presence} zone={facility.time_zone} />
          {presence && text !== '' && ' · '}
          {text}
        </>
      }
      trailing={
        acts &&
        !person.is_by_role && (
          <Menu
            align="end"
            trigger={
              <Button variant="ghost" color="neutral" iconOnly icon={MoreHorizontal} label={`What ${name} may do`} />
            }
          >
            <MenuChoice
              label="In this chat"
              value={access}
              onValueChange={(next) => acts.onAccess(person, next)}
              choices={acts.choices.map((value) => ({ value, label: accessLabels[value] }))}
            />
            <MenuSeparator />
            {until !== null && (
              <MenuItem icon={UserCheck} onSelect={() => acts.onKeep(person)}>
                Keep in the chat
              </MenuItem>
            )}
            <MenuItem icon={UserMinus} isDanger onSelect={() => acts.onRemove(person)}>
              Remove from chat
            </MenuItem>
          </Menu>
        )
      }
    />
  );
}
