import type { Observable } from '#/observable.ts';

/** Something that is live: who says it, by which name, what and where. One entry a person and path, however many pages they have open. */
export interface LiveEntry {
  readonly path: string;
  readonly userId: string;
  readonly name: string;
  readonly value: unknown;
}

/**
 * What several people see change at once and nobody needs tomorrow. Paths begin with the chat, `chats/{chat}/…`; what can stand
 * below it is stated in `contract/live.ts`. Nothing is kept: what nobody says again ends by itself.
 */
export interface LiveStore {
  /** What others have live at this path or below it, by path and person; another page of one's own is another. */
  watch(path: string): Observable<readonly LiveEntry[]>;
  /** Says that something is live here for so many milliseconds, 30,000 at most. Said again before that, it stays. */
  patch(path: string, value: unknown, ttlMs: number): void;
  /** Takes it back at once. */
  remove(path: string): void;
}

/** The chat that a path begins with, and what stands below it. Throws where it does not begin with one. */
export function splitLivePath(path: string): { readonly chatId: string; readonly below: string } {
  const [chats, chatId = '', ...below] = path.split('/');
  if (chats !== 'chats' || chatId === '') throw new Error(`Nothing can be live at ${path}: it is of no chat.`);
  return { chatId, below: below.join('/') };
}
