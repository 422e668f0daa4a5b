import type { ChannelMember } from '@wardline/client/realtime/realtime.ts';
import { PresenceInfo } from '@wardline/contract/chat.ts';
import * as z from 'zod/mini';
import type { Person } from '#/features/chat/core/chat-view.ts';

/** A channel's members as persons, without me; one whose info does not fit has no name to show and is left out. */
export function toPerson({ id, info }: ChannelMember): Person | null {
  const parsed = z.safeParse(PresenceInfo, info);
  return parsed.success ? { id, name: parsed.data.name, title: parsed.data.title } : null;
}

/** Who is here: changes with each answer and notice of the channel. */
export interface PresentPeople {
  list(): readonly Person[];
  here(members: readonly ChannelMember[]): void;
  joining(member: ChannelMember): void;
  leaving(member: ChannelMember): void;
}

export function createPresentPeople(myId: string): PresentPeople {
  let people: readonly Person[] = [];
  const isOther = (person: Person | null): person is Person => person !== null && person.id !== myId;
  return {
    list: () => people,
    here(members) {
      people = members.map(toPerson).filter(isOther);
    },
    joining(member) {
      const person = toPerson(member);
      if (isOther(person)) people = [...people.filter(({ id }) => id !== person.id), person];
    },
    leaving(member) {
      people = people.filter(({ id }) => id !== member.id);
    },
  };
}
