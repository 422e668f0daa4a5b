/** Addresses of the chat pages. */
export const SEARCH_PATH = '/search';

export function facilityPath(facilityId: string): string {
  return `/chat/f-${facilityId}`;
}

/** The chat that one has, or could have, with a person of the facility. */
export function personPath(facilityId: string, userId: string): string {
  return `${facilityPath(facilityId)}/p-${userId}`;
}

export function chatPath(chat: { readonly id: string; readonly facility_id: string }): string {
  return `${facilityPath(chat.facility_id)}/c-${chat.id}`;
}

/** The examinations of a chat, and where a new one is begun. */
export function examinationsPath(chat: { readonly id: string; readonly facility_id: string }): string {
  return `${chatPath(chat)}/examinations`;
}

/** One of them, beside the chat. */
export function examinationPath(chat: { readonly id: string; readonly facility_id: string }, id: string): string {
  return `${chatPath(chat)}/e-${id}`;
}

/** The hand-over of a chat that is being written. */
export function newHandoverPath(chat: { readonly id: string; readonly facility_id: string }): string {
  return `${chatPath(chat)}/h-${chat.id}`;
}

/** The address of a message: opened by a person who may read it, the chat shows it and marks it for a moment. */
export function linkToMessage(chat: { readonly id: string; readonly facility_id: string }, seq: number): string {
  return `${chatPath(chat)}?message=${seq}`;
}
