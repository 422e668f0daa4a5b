/** Addresses of the chat pages. */
export function facilityPath(facilityId: string): string {
  return `/chat/f-${facilityId}`;
}

export function chatPath(chat: { readonly id: string; readonly facility_id: string }): string {
  return `${facilityPath(chat.facility_id)}/c-${chat.id}`;
}
