import { type Chat, type ParticipantAccess, WRITABLE_STATES } from '@wardline/contract/chat/chat.ts';
import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';

/** What the rules need to know of a chat and of one person's place in it, read now. */
export interface ChatContext {
  readonly facilityId: string;
  readonly state: Chat['state'];
  /** Of the person who asks; a row exists only while participation and membership both last. */
  readonly participant: { readonly userId: string; readonly access: ParticipantAccess };
}

/** Where people and title can be changed, the kind decides too. */
interface ManagedChat extends ChatContext {
  readonly kind: Chat['kind'];
  /** Whether the person is in it by an emergency access. */
  readonly isEmergency: boolean;
}

/** Being in the chat and in its facility; no permission replaces it. */
export const readChat = action<ChatContext>(
  'chat.read',
  (actor, chat) => chat.participant.userId === actor.userId && membershipIn(actor, chat.facilityId) !== undefined,
);

export const writeMessage = action<ChatContext>(
  'chat.message.write',
  (actor, chat) =>
    readChat.allows(actor, chat) && chat.participant.access !== 'read' && WRITABLE_STATES.includes(chat.state),
);

/** Who only reads may say so too: a tap is no text. In a chat that is over nothing changes any more. */
export const reactToMessage = action<ChatContext>(
  'chat.message.react',
  (actor, chat) => readChat.allows(actor, chat) && WRITABLE_STATES.includes(chat.state),
);

/** From one chat of a facility that one reads into another of it in which one writes; never from one hospital to the next. */
export const forwardMessage = action<{ source: ChatContext; target: ChatContext }>(
  'chat.message.forward',
  (actor, { source, target }) =>
    readChat.allows(actor, source) && writeMessage.allows(actor, target) && source.facilityId === target.facilityId,
);

/** One's own words, while one may still write here. */
export const changeMessage = action<{ chat: ChatContext; senderId: string }>(
  'chat.message.change',
  (actor, { chat, senderId }) => writeMessage.allows(actor, chat) && senderId === actor.userId,
);

/**
 * Title, state and people: whoever was given it in the chat, or may manage the facility's chats and is in this one. Nobody
 * manages a direct chat: it is the one of its two people. Who opened it in an emergency decides about nobody in it.
 */
export const manageChat = action<ManagedChat>(
  'chat.manage',
  (actor, chat) =>
    readChat.allows(actor, chat) &&
    chat.kind !== 'direct' &&
    !chat.isEmergency &&
    (chat.participant.access === 'manage' || hasPermission(actor, chat.facilityId, 'chats.manage')),
);

/** Keeps a message at hand for all: whoever may write here, so in an announcement who manages it. */
export const pinMessage = action<ChatContext>('chat.message.pin', (actor, chat) => writeMessage.allows(actor, chat));

/** Whoever was called for an urgent message and reads it, also in a chat that was closed meanwhile. */
export const answerUrgent = action<{ chat: ChatContext; isCalled: boolean }>(
  'chat.urgent.answer',
  (actor, { chat, isCalled }) => readChat.allows(actor, chat) && isCalled,
);

/** Who sent it, for as long as they read it. */
export const withdrawUrgent = action<{ chat: ChatContext; senderId: string }>(
  'chat.urgent.withdraw',
  (actor, { chat, senderId }) => readChat.allows(actor, chat) && senderId === actor.userId,
);

/** Who plans who is on call says too who is called on. */
export const manageLadder = action<{ facilityId: string }>('chat.urgent.ladder', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'on_call.manage'),
);

/** How long critical results took, by unit and month: for who answers for who is called. */
export const seeCriticalTimes = action<{ facilityId: string }>('chat.critical.times', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'on_call.manage'),
);

/** How often people are called and how fast they answer, by role and hour: for the same. */
export const seeInterruptions = action<{ facilityId: string }>('chat.interruptions', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'on_call.manage'),
);

/** The texts that all members of a facility begin messages with: for who runs the facility. */
export const manageTemplates = action<{ facilityId: string }>('chat.template.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'facility.manage'),
);

/** Calls everybody at once: for who answers for the chat. In a direct chat there is nobody else to call. */
export const mentionAll = action<ManagedChat>(
  'chat.message.mention_all',
  (actor, chat) => manageChat.allows(actor, chat) && writeMessage.allows(actor, chat),
);

/** Leaving needs nobody's leave, save that a direct chat stays with its two; taking another out is managing. */
export const removeFromChat = action<{ chat: ManagedChat; userId: string }>(
  'chat.participant.remove',
  (actor, { chat, userId }) =>
    userId === actor.userId ? readChat.allows(actor, chat) && chat.kind !== 'direct' : manageChat.allows(actor, chat),
);

/** Looks for the chats of a patient that one is not in, and opens one in an emergency. */
export const breakGlass = action<{ facilityId: string }>('chat.break_glass', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'chats.break_glass'),
);

/** Signs off what was opened in an emergency; what oneself opened is for somebody else. */
export const reviewEmergencies = action<{ facilityId: string; userId?: string }>(
  'chat.emergency.review',
  (actor, { facilityId, userId }) => hasPermission(actor, facilityId, 'audit.view') && userId !== actor.userId,
);

/** How long messages are kept, what is held, and what is exported to the record: for who answers for it, in any chat of the facility. */
export const manageRecords = action<{ facilityId: string }>('records.manage', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'records.manage'),
);

export const seeChatsOf = action<{ facilityId: string }>(
  'chat.list',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** What is announced goes to many and is answered by nobody: that is for who manages the facility's chats. */
export const createChatIn = action<{ facilityId: string; kind?: Chat['kind'] }>(
  'chat.create',
  (actor, { facilityId, kind }) =>
    hasPermission(actor, facilityId, kind === 'announcement' ? 'chats.manage' : 'chats.create'),
);
