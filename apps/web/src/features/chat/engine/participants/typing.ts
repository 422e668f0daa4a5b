export const TYPING_EVERY_MS = 3000;
export const TYPING_GONE_AFTER_MS = 6000;
export const TYPING_MAX_PARTICIPANTS = 30;

/** Whether the others are told that I type (CHAT-12): at most once per 3 s and never in a chat of more than 30. */
export function isTypingDue(toldAt: number, now: number, participantCount: number): boolean {
  return participantCount <= TYPING_MAX_PARTICIPANTS && now - toldAt >= TYPING_EVERY_MS;
}
