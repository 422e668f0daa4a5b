/** Addresses of the chat pages. */
export const SEARCH_PATH = '/search';

export function facilityPath(facilityId: string): string {
  return `/chat/f-${facilityId}`;
}

/** The chat that one has, or could have, with a person of the facility. */
export function personPath(facilityId: string, userId: string): string {
  return `${facilityPath(facilityId)}/p-${userId}`;
}

/** The part of a chat's address that says which of its messages it leads to. */
const MESSAGE_PARAM = 'message';

export function messagePath(chat: { readonly id: string; readonly facility_id: string }, seq: number): string {
  return `${chatPath(chat)}?${MESSAGE_PARAM}=${seq}`;
}

/** The message that an address leads to, by what stands behind its question mark; what is no place in a chat leads to none. */
export function messageIn({ [MESSAGE_PARAM]: seq }: Readonly<Record<string, unknown>>): number | null {
  return Number.isSafeInteger(seq) && Number(seq) > 0 ? Number(seq) : null;
}

export function chatPath(chat: { readonly id: string; readonly facility_id: string }): string {
  return `${facilityPath(chat.facility_id)}/c-${chat.id}`;
}
