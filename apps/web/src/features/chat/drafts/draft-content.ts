import { isMentionKind, type Mention, type Message } from '@wardline/contract/chat/chat.ts';
import type { Draft, SavedDraft } from '@wardline/contract/chat/drafts.ts';
import { type DraftStore, savedName } from './draft-store.ts';

export const replyName = (chatId: string): string => `reply/${chatId}`;
export const mentionsName = (chatId: string): string => `mentions/${chatId}`;
export const offerName = (chatId: string): string => `offer/${chatId}`;

/** What another device has written, beside what stands here. */
type Offer = Pick<SavedDraft, 'version'> & Draft;

/** What stands in the box of a chat, as the server takes it; null where nothing was written. */
export function readDraft(drafts: DraftStore, chatId: string): Draft | null {
  const body = drafts.read(chatId);
  if (body.trim() === '') return null;
  const answered: Pick<Message, 'id' | 'seq'> | null = JSON.parse(drafts.read(replyName(chatId)) || 'null');
  const chosen: Mention[] = JSON.parse(drafts.read(mentionsName(chatId)) || '[]');
  return {
    body,
    reply_to: answered && { id: answered.id, seq: answered.seq },
    mentions: chosen.flatMap(({ kind, id, name }) =>
      isMentionKind(kind) && body.includes(`@${name}`) ? [{ kind, id, name }] : [],
    ),
  };
}

/** Puts what the server has into the box. */
export function showDraft(drafts: DraftStore, chatId: string, draft: Draft | null): void {
  drafts.show(replyName(chatId), draft?.reply_to ? JSON.stringify(draft.reply_to) : '');
  drafts.show(mentionsName(chatId), draft?.mentions.length ? JSON.stringify(draft.mentions) : '');
  drafts.show(chatId, draft?.body ?? '');
}

export function readOffer(drafts: DraftStore, chatId: string): Offer | null {
  return JSON.parse(drafts.read(offerName(chatId)) || 'null');
}

/** Adds what another device has written to what stands here, which is then saved. */
export function acceptOffer(drafts: DraftStore, chatId: string): void {
  const offer = readOffer(drafts, chatId);
  if (offer === null) return;
  const mine = readDraft(drafts, chatId);
  settleOffer(drafts, chatId, offer);
  if (offer.reply_to && !mine?.reply_to) drafts.write(replyName(chatId), JSON.stringify(offer.reply_to));
  drafts.write(mentionsName(chatId), JSON.stringify([...(mine?.mentions ?? []), ...offer.mentions]));
  drafts.write(chatId, [mine?.body, offer.body].filter(Boolean).join('\n'));
}

/** Leaves what stands here, which then takes the place of the other. */
export function discardOffer(drafts: DraftStore, chatId: string): void {
  const offer = readOffer(drafts, chatId);
  if (offer === null) return;
  settleOffer(drafts, chatId, offer);
  drafts.write(chatId, drafts.read(chatId));
}

function settleOffer(drafts: DraftStore, chatId: string, { version }: Offer): void {
  drafts.show(savedName(chatId), `${version}*`, true);
  drafts.show(offerName(chatId), '');
}
