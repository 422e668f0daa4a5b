import { v5 } from 'uuid';

/**
 * The id that the server gives to the direct chat of two people, told without asking it: what is kept here for the chat (the
 * draft, unsent messages) is the chat's before and after its first message (decision 024).
 */
export function directChatId(facilityId: string, one: string, other: string): string {
  return v5([one, other].sort().join(' '), facilityId);
}
