import type { ChannelMember } from '@wardline/client/realtime/realtime.ts';
import { PresenceInfo } from '@wardline/contract/chat/chat.ts';
import * as z from 'zod/mini';
import type { Person } from '#/features/chat/core/chat-view.ts';

/** A channel's members as persons; one whose info does not fit has no name to show and is left out. */
export function toPeople(members: readonly ChannelMember[]): Person[] {
  return members.flatMap(({ id, info }) => {
    const parsed = z.safeParse(PresenceInfo, info);
    return parsed.success ? [{ id, name: parsed.data.name, title: parsed.data.title }] : [];
  });
}
