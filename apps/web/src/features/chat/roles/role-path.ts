import { facilityPath } from '#/features/chat/core/chat-paths.ts';

/** The address of the chat that one has, or could have, with whoever holds an on-call role. */
export function rolePath(facilityId: string, roleId: string): string {
  return `${facilityPath(facilityId)}/r-${roleId}`;
}
