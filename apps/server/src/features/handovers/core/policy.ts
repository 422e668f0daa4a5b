import { membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';
import type { OpenedChat } from './deps.ts';

/** Gives one: where one may write in the chat. */
export const giveHandover = action<OpenedChat>('handover.give', (_actor, chat) => chat.canWrite);

/** Receives or declines it: to whom it was given, or who holds the role now; never who gave it. */
export const receiveHandover = action<{ chat: OpenedChat; isReceiver: boolean }>(
  'handover.receive',
  (_actor, { chat, isReceiver }) => chat.canWrite && isReceiver,
);

/** Corrects or withdraws it. */
export const changeHandover = action<{ chat: OpenedChat; givenBy: string }>(
  'handover.change',
  (actor, { chat, givenBy }) => chat.canWrite && givenBy === actor.userId,
);

/** Says that an action is done: whoever works on in the chat. */
export const tickAction = action<OpenedChat>('handover.tick', (_actor, chat) => chat.canWrite);

/** The list of a unit has the patients of one's own chats; whoever is a member may look which they are. */
export const listHandoversOf = action<{ facilityId: string }>(
  'handover.list',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);
