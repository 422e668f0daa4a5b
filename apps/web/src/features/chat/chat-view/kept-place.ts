import type { DraftStore } from '#/features/chat/drafts/draft-store.ts';

/** Where somebody was in a chat: this message stood so far under the upper edge. */
export interface KeptPlace {
  readonly seq: number;
  readonly gapPx: number;
  /** When it was last so. */
  readonly keptAt: number;
}

// After this long, what has come since matters more than what was being read.
const outdatedMs = 15 * 60 * 1000;
const nameOf = (chatId: string) => `place/${chatId}`;

/** The place where this tab left a chat; null where that was its end. Kept where the drafts are, and gone with them. */
export function readPlace(kept: DraftStore, chatId: string): KeptPlace | null {
  const [seq = 0, gapPx = 0, keptAt = 0] = kept.read(nameOf(chatId)).split(' ').map(Number);
  return Number.isSafeInteger(seq) && seq > 0 && Number.isFinite(gapPx) ? { seq, gapPx, keptAt } : null;
}

export function keepPlace(kept: DraftStore, chatId: string, place: KeptPlace | null): void {
  kept.write(nameOf(chatId), place === null ? '' : `${place.seq} ${place.gapPx} ${place.keptAt}`);
}

export function isOutdated({ keptAt }: KeptPlace, now: number): boolean {
  return !(now - keptAt < outdatedMs);
}
