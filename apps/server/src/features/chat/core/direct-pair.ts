import { v5 } from 'uuid';

/** The two people of a direct chat, in the order in which its row names them. */
export interface DirectPair {
  readonly low: string;
  readonly high: string;
}

export function pairOf(one: string, other: string): DirectPair {
  return one < other ? { low: one, high: other } : { low: other, high: one };
}

/**
 * The id of a direct chat: a UUIDv5 of its pair in the facility's namespace, which a device that is offline makes as well
 * (`apps/web/src/features/chat/direct/direct-chat-id.ts`), so that what it keeps for the chat stays the chat's.
 */
export function directChatId(facilityId: string, { low, high }: DirectPair): string {
  return v5(`${low} ${high}`, facilityId);
}

/** The id of the direct chat that somebody has with an on-call role, made in the same way. */
export function roleChatId(facilityId: string, userId: string, roleId: string): string {
  return v5(`${userId} ${roleId}`, facilityId);
}
