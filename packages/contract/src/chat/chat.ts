import * as z from 'zod/mini';
import { channel } from '../channel.ts';
import { endpoint } from '../endpoint.ts';
import { MembershipChanged } from '../facilities/facilities.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Seq, SeqQuery, Text } from '../values.ts';
import { ATTACHMENTS_MAX, Attachment } from './attachments.ts';
import type { Citation } from './citations.ts';
import type { Urgent } from './urgent.ts';

export const CHAT_KINDS = ['case', 'group', 'direct', 'announcement'] as const;
export const CHAT_STATES = ['open', 'handed_over', 'closed', 'archived'] as const;
/** In which people write and react: a chat that was handed over goes on with the next team. */
export const WRITABLE_STATES: readonly (typeof CHAT_STATES)[number][] = ['open', 'handed_over'];
export const MESSAGE_BODY_MAX = 8000;

/** The person a case chat is about: a name and a second identifier always; the bed says where, never who. */
export const Patient = z.object({
  name: z.string(),
  identifier: z.string(),
  born_on: z.nullable(Day),
  bed: z.nullable(z.string()),
});
export type Patient = z.infer<typeof Patient>;

export const MessageSender = z.object({ id: Id, name: z.string(), title: z.nullable(z.string()) });

/** What a system line tells of, and what can be done about it; the device shows it with the line. */
export const MessageAct = z.object({
  kind: z.enum(['census.alert', 'examination', 'handover', 'laboratory_result']),
  id: Id,
});
export type MessageAct = z.infer<typeof MessageAct>;

/** One tap instead of a line. A closed list, so that each has its glyph and its word. */
export const REACTION_CODES = ['seen', 'on_my_way', 'done', 'agree', 'thanks', 'question'] as const;
export const ReactionCode = z.enum(REACTION_CODES);
export type ReactionCode = z.infer<typeof ReactionCode>;

/** Somebody's reaction; a code that a client does not know it leaves out. */
export const Reaction = z.object({ code: z.string(), user_id: Id, name: z.string(), at: Instant });
export type Reaction = z.infer<typeof Reaction>;

/** How many may be called in one message. */
export const MENTIONS_MAX = 50;

/**
 * Whom a message calls: a person, an on-call role of the chat, or all who are in it. The text has '@' and the name of then; a kind that
 * a client does not know is text.
 */
export const Mention = z.object({
  kind: z.string(),
  id: z.nullable(Id),
  name: z.string(),
  /** Who held the role when it was called; null where nobody did. */
  holder_id: z.optional(z.nullable(Id)),
});
export type Mention = z.infer<typeof Mention>;

export const MENTION_KINDS = ['user', 'role', 'all'] as const;
export type MentionKind = (typeof MENTION_KINDS)[number];

/** Whether the server can be asked to call it: what a device keeps may be of a build that knew of more. */
export function isMentionKind(kind: string): kind is MentionKind {
  return MENTION_KINDS.some((known) => known === kind);
}

/** A person or a role by its id, or all, who have none. */
const MentionTarget = z.strictObject({ kind: z.enum(MENTION_KINDS), id: z.nullable(Id) });

/** As many people are asked by one urgent message, and as many more by name when nobody answers. */
export const URGENT_PEOPLE_MAX = 20;

/** Who is called: people of the chat, and perhaps who holds an on-call role when it is their turn. */
const AskedTargets = z.strictObject({
  people: z.array(Id).check(z.maxLength(URGENT_PEOPLE_MAX, 'At most 20 people.')),
  role_id: z.nullable(Id),
});

/** What makes a message urgent when it is sent: who must acknowledge it, and who is called next where nobody does. */
export const AskedUrgent = z.strictObject({ targets: AskedTargets, next: z.optional(z.nullable(AskedTargets)) });
export type AskedUrgent = z.infer<typeof AskedUrgent>;

/** What was said in another chat, first by whom and when. What it was about goes with it: a value needs its patient. */
export const Forwarded = z.object({
  sender: MessageSender,
  sent_at: Instant,
  patient: z.nullable(z.object({ name: z.string(), identifier: z.string(), born_on: z.nullable(Day) })),
});
export type Forwarded = z.infer<typeof Forwarded>;

/** So many findings go with one message. */
export const CITATIONS_MAX = 5;

/** A finding of a signed report, in the version that was read. */
const CitedFinding = z.strictObject({
  examination_id: Id,
  field: Text(1, 60),
  report_version: z.int().check(z.gte(1), z.lte(1_000_000)),
});
export type CitedFinding = z.infer<typeof CitedFinding>;

/** In full they are read by what shows them (`Citation`), as what is urgent. */
const CitationsOfMessage = z.array(z.looseObject({ field: z.string() })) as unknown as z.ZodMiniType<
  Citation[],
  Citation[]
>;

/** In full it is read by what shows it (`Urgent`): a state that a client does not know yet must not cost it the message. */
const UrgentOfMessage = z.looseObject({ state: z.string() }) as unknown as z.ZodMiniType<Urgent, Urgent>;

export const Message = z.object({
  id: Id,
  chat_id: Id,
  /** Gapless in its chat, from 1; the only order there is. */
  seq: Seq,
  /** Made by the sender's device when send was pressed; the same for every repeat. */
  client_id: Id,
  sender: MessageSender,
  /** The on-call role as whose holder they wrote it, as it was called then. */
  sender_role: z.optional(z.string()),
  kind: z.enum(['text', 'system']),
  body: z.string(),
  reply_to: z.nullable(Id),
  /** The place of the message that this one answers; its text is read by who may read it, never told with this one. */
  reply_to_seq: z.optional(z.nullable(Seq)),
  /** The device's clock: a label only. */
  device_time: z.nullable(Instant),
  created_at: Instant,
  act: z.optional(z.nullable(MessageAct)),
  mentions: z.optional(z.array(Mention)),
  /** The text was said elsewhere, and is as it was then. */
  forwarded: z.optional(z.nullable(Forwarded)),
  /** In the order in which they were chosen; the body may then be empty. */
  attachments: z.optional(z.array(Attachment)),
  /** Findings that it talks about, in the order in which they were chosen. */
  citations: z.optional(CitationsOfMessage),
  /** The chat's count of changes when this message last changed; without it, it never did. */
  change_seq: z.optional(Seq),
  /** In the order in which they were given. */
  reactions: z.optional(z.array(Reaction)),
  /** Who keeps it at hand for the chat, and since when. */
  pinned: z.optional(z.nullable(z.object({ at: Instant, user_id: Id, name: z.string() }))),
  /** Asks for acknowledgement and calls until somebody gives it; what became of that. */
  urgent: z.optional(z.nullable(UrgentOfMessage)),
  /** Grows with each edit; without it 1. */
  version: z.optional(z.int()),
  edited_at: z.optional(z.nullable(Instant)),
  /** By its sender, with a reason, or for its age; its body is then empty for ever. */
  deleted: z.optional(z.nullable(z.object({ at: Instant, reason: z.string(), is_expired: z.optional(z.boolean()) }))),
});
export type Message = z.infer<typeof Message>;

/** The last line of a chat as its list shows it. */
export const LastMessage = z.object({
  seq: Seq,
  sender_id: Id,
  sender_name: z.string(),
  kind: Message.shape.kind,
  /** At most 160 characters of the text; of a forwarded one after words that say so, of a deleted one none. */
  excerpt: z.string(),
  is_deleted: z.optional(z.boolean()),
  /** Nobody deleted it: it was old enough. */
  is_expired: z.optional(z.boolean()),
  created_at: Instant,
});
export type LastMessage = z.infer<typeof LastMessage>;

/** How far a person has got in a chat; both only rise. */
export const Markers = z.object({ delivered_seq: Seq, read_seq: Seq });
export type Markers = z.infer<typeof Markers>;

export const ParticipantAccess = z.enum(['read', 'write', 'manage']);
export type ParticipantAccess = z.infer<typeof ParticipantAccess>;

/** The other person of a direct chat, as they are now. */
export const DirectPerson = z.object({
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
  /** False once they have left the facility: what was said can be read, and nothing written. */
  is_member: z.boolean(),
});
export type DirectPerson = z.infer<typeof DirectPerson>;

/** Of a direct chat with an on-call role: which, and for whoever holds it who wrote to it. */
export const DirectRole = z.object({
  role_id: Id,
  name: z.string(),
  /** Who writes to the role; null where that is me. */
  person: z.nullable(z.object({ user_id: Id, name: z.string() })),
});
export type DirectRole = z.infer<typeof DirectRole>;

/** What of a chat reaches a person by sound, badge and push; urgent ones also come through where it is muted for a time. */
export const Notify = z.enum(['all', 'mentions', 'urgent', 'none']);
export type Notify = z.infer<typeof Notify>;

/** What of a chat reaches me. */
export const Notifications = z.object({
  notify: Notify,
  /** Muted until then; null where it is not muted for a time. */
  muted_until: z.nullable(Instant),
  /** Whether routine messages make a sound here. */
  sound: z.optional(z.boolean()),
});
export type Notifications = z.infer<typeof Notifications>;

/** A chat as the person who asks sees it. */
export const Chat = z.object({
  id: Id,
  facility_id: Id,
  kind: z.enum(CHAT_KINDS),
  /** Of a direct chat the other person's name. */
  title: z.string(),
  direct: z.optional(z.nullable(DirectPerson)),
  direct_role: z.optional(z.nullable(DirectRole)),
  patient: z.nullable(Patient),
  state: z.enum(CHAT_STATES),
  head_seq: Seq,
  /** How many changes the messages of the chat have had; gapless, as head_seq is. */
  head_change_seq: z.optional(Seq),
  version: z.int(),
  participant_count: z.int(),
  pin_count: z.optional(z.int()),
  /** Urgent messages that are not over. */
  urgent_count: z.optional(z.int()),
  last_message: z.nullable(LastMessage),
  my: z.object({
    access: ParticipantAccess,
    delivered_seq: Seq,
    read_seq: Seq,
    /** Messages of others past my read marker, counted up to 100. */
    unread: z.int(),
    /** The last message that mentions me; unread where it is past read_seq. */
    mention_seq: z.optional(Seq),
    notify: z.optional(Notify),
    muted_until: z.optional(z.nullable(Instant)),
    sound: z.optional(z.boolean()),
    is_favorite: z.optional(z.boolean()),
    /** From which message I keep the chat as unread, whatever I have read of it; null where I do not. */
    marked_unread_seq: z.optional(z.nullable(Seq)),
  }),
  created_at: Instant,
  updated_at: Instant,
});
export type Chat = z.infer<typeof Chat>;

export const Participant = z.object({
  user_id: Id,
  name: z.string(),
  title: z.nullable(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
  access: ParticipantAccess,
  /** Sees what comes after it: 0 for the whole chat. */
  joined_seq: z.optional(Seq),
  /** Until when, for who opened the chat in an emergency. */
  emergency_until: z.optional(z.nullable(Instant)),
  /** Is here while they hold an on-call role of the chat, and not by themselves. */
  is_by_role: z.optional(z.boolean()),
  delivered_seq: Seq,
  read_seq: Seq,
});
export type Participant = z.infer<typeof Participant>;

const facilityParams = z.strictObject({ facility: Id });
const chatParams = z.strictObject({ chat: Id });

export const listChats = endpoint({
  name: 'listChats',
  summary: 'My chats in a facility, last activity first.',
  method: 'GET',
  path: '/api/facilities/{facility}/chats',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
    kind: z.optional(z.enum(CHAT_KINDS)),
    state: z.optional(z.enum(CHAT_STATES)),
    q: z.optional(Text(0, 80)),
  }),
  body: Nothing,
  status: 200,
  reply: Page(Chat),
});

export const getChat = endpoint({
  name: 'getChat',
  summary: 'One chat.',
  method: 'GET',
  path: '/api/chats/{chat}',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Chat,
});

export const listParticipants = endpoint({
  name: 'listParticipants',
  summary: 'The people of a chat with their markers, by name.',
  method: 'GET',
  path: '/api/chats/{chat}/participants',
  access: 'signed-in',
  params: chatParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(Participant),
});

export const listMessages = endpoint({
  name: 'listMessages',
  summary:
    'A page of messages, ascending: after, before or around a seq, around the first of a day in the facility, or without any the newest; or what changed after a change, in the order of the changes.',
  method: 'GET',
  path: '/api/chats/{chat}/messages',
  access: 'signed-in',
  params: chatParams,
  query: z
    .strictObject({
      after: z.optional(SeqQuery),
      before: z.optional(SeqQuery),
      around: z.optional(SeqQuery),
      on: z.optional(Day),
      changed_after: z.optional(SeqQuery),
      limit: z.optional(LimitQuery),
    })
    .check(
      z.refine(
        ({ limit: _limit, ...places }) => Object.values(places).filter((place) => place !== undefined).length <= 1,
        'Give one of after, before, around, on and changed_after.',
      ),
    ),
  body: Nothing,
  status: 200,
  /** The heads were read before the messages: what changed in between is told twice rather than never. */
  reply: z.object({
    data: z.array(Message),
    head_seq: Seq,
    head_change_seq: z.optional(Seq),
    /** Where a day was asked for: its first message for me, or the first after it; null where there is none, and then no data. */
    on_seq: z.optional(z.nullable(Seq)),
  }),
});

/** By words or by files. */
const saysSomething = z.refine<{ body: string; attachments?: string[] | undefined }>(
  ({ body, attachments }) => body || attachments?.length,
  { error: 'This field is required.', path: ['body'] },
);

export const sendMessage = endpoint({
  name: 'sendMessage',
  summary: 'Stores a message; the same client_id again returns the stored one, with another body 409.',
  method: 'POST',
  path: '/api/chats/{chat}/messages',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z
    .strictObject({
      client_id: Id,
      body: Text(0, MESSAGE_BODY_MAX),
      reply_to: z.optional(z.nullable(Id)),
      device_time: z.optional(z.nullable(Instant)),
      /** Everybody named must be in the chat, roles too, whose holder of now is called; all are called by who manages it. */
      mentions: z.optional(z.array(MentionTarget).check(z.maxLength(MENTIONS_MAX))),
      /** Files of mine that were uploaded for this chat and are ready. */
      attachments: z.optional(z.array(Id).check(z.maxLength(ATTACHMENTS_MAX))),
      /** Everybody named must be in the chat; a role's holder is let in when they are called. */
      urgent: z.optional(z.nullable(AskedUrgent)),
      /** Findings of signed reports of examinations in this chat, each once. */
      cites: z.optional(z.array(CitedFinding).check(z.maxLength(CITATIONS_MAX, 'At most 5 findings.'))),
    })
    .check(saysSomething),
  status: 201,
  reply: Message,
});

export const sendDirectMessage = endpoint({
  name: 'sendDirectMessage',
  summary:
    'Stores a message in the one chat that I have with this person in the facility; the first one makes the chat. A repeat is answered as by sendMessage.',
  method: 'POST',
  path: '/api/facilities/{facility}/members/{user}/messages',
  access: 'signed-in',
  params: z.strictObject({ facility: Id, user: Id }),
  query: Nothing,
  body: z
    .strictObject({
      client_id: Id,
      body: Text(0, MESSAGE_BODY_MAX),
      device_time: z.optional(z.nullable(Instant)),
      /** Files of mine that were uploaded for this person or our chat and are ready. */
      attachments: z.optional(z.array(Id).check(z.maxLength(ATTACHMENTS_MAX))),
      /** Calls the person; nobody else can be. */
      urgent: z.optional(z.nullable(AskedUrgent)),
    })
    .check(saysSomething),
  status: 201,
  reply: z.object({ chat: Chat, message: Message }),
});

export const raiseMarkers = endpoint({
  name: 'raiseMarkers',
  summary: 'Raises my markers; a lower value changes nothing. Answers the markers as they stand.',
  method: 'PUT',
  path: '/api/chats/{chat}/markers',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({ delivered_seq: z.optional(Seq), read_seq: z.optional(Seq) }),
  status: 200,
  reply: Markers,
});

export const sync = endpoint({
  name: 'sync',
  summary: 'What changed for me since the cursor; without one, everything. Ask again at once while has_more.',
  method: 'GET',
  path: '/api/sync',
  access: 'signed-in',
  params: Nothing,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: z.object({
    chats: z.array(Chat),
    /** Chats that are no longer mine; the device deletes its copy. */
    removed_chat_ids: z.array(Id),
    /** True when the device holds copies from another database or too old a cursor, and starts anew. */
    reset: z.boolean(),
    cursor: Cursor,
    has_more: z.boolean(),
  }),
});

/** A chat moved on: enough for a list row; anything else is asked by sync. */
export const ChatChanged = z.object({
  chat_id: Id,
  facility_id: Id,
  head_seq: Seq,
  head_change_seq: z.optional(Seq),
  version: z.int(),
  pin_count: z.optional(z.int()),
  urgent_count: z.optional(z.int()),
  last_message: z.nullable(LastMessage),
  /** Of several messages that were stored together: who wrote them, the newest last. */
  sender_ids: z.optional(z.array(Id)),
  /** Whom these messages mention: people, or all. */
  mentioned: z.optional(z.union([z.literal('all'), z.array(Id)])),
});
export type ChatChanged = z.infer<typeof ChatChanged>;

export const MarkersChanged = z.object({
  chat_id: Id,
  user_id: Id,
  head_seq: Seq,
  delivered_seq: Seq,
  read_seq: Seq,
  /** To one's own devices, where the last message that mentions me does so no longer. */
  mention_seq: z.optional(Seq),
});
export type MarkersChanged = z.infer<typeof MarkersChanged>;

/** I am called now for an urgent message: at its first step and at each one after it that calls me. */
export const UrgentCalled = z.object({
  facility_id: Id,
  chat_id: Id,
  message_id: Id,
  /** 0 as it is sent, then each call of the ladder one more. */
  step: z.int(),
});
export type UrgentCalled = z.infer<typeof UrgentCalled>;

/** An urgent message that I was called for, or sent, stands otherwise now: what waits for me is to be asked again. */
export const UrgentChanged = z.object({ chat_id: Id, message_id: Id });

/** What I have begun to write in a chat was saved elsewhere; its text is asked for. */
export const DraftChanged = z.object({ chat_id: Id, version: Seq });

/** A hand-over was given, received, changed, or an action of it done; who shows it, or waits for it, asks again. */
export const HandoverChanged = z.object({ chat_id: Id, handover_id: Id, version: z.int() });

/** One's own news, on every device. */
export const userChannel = channel({
  kind: 'private',
  pattern: 'App.Models.User.{user}',
  param: 'user',
  events: {
    ChatChanged,
    MarkersChanged,
    MembershipChanged,
    DraftChanged,
    UrgentCalled,
    UrgentChanged,
    HandoverChanged,
  },
});

/** An examination of the chat was begun, changed or signed, or its values were; who shows it asks again. */
export const ExaminationChanged = z.object({ chat_id: Id, examination_id: Id, version: z.int() });
export type ExaminationChanged = z.infer<typeof ExaminationChanged>;

/** A message as it stands after a change; its change_seq says which. */
export const MessageChanged = z.object({ message: Message });

const chatEvents = {
  MessageSent: z.object({ message: Message }),
  ReactionsChanged: MessageChanged,
  MessageEdited: MessageChanged,
  MessageDeleted: MessageChanged,
  MessagePinned: MessageChanged,
  UrgentMessageChanged: MessageChanged,
  CitationsChanged: MessageChanged,
  ExaminationChanged,
  HandoverChanged,
  MarkersChanged,
  ChatChanged,
};

/** An open chat: who is here, what is said. Typing goes from device to device as the client event `typing`. */
export const chatChannel = channel({ kind: 'presence', pattern: 'chat.{chat}', param: 'chat', events: chatEvents });

/** The same events, for those whom the presence channel refuses because its limit of members is reached. */
export const privateChatChannel = channel({
  kind: 'private',
  pattern: 'chat.{chat}',
  param: 'chat',
  events: chatEvents,
});

/** What a presence channel tells of a member. */
export const PresenceInfo = z.object({ name: z.string(), title: z.nullable(z.string()) });

export const chatEndpoints = [
  listChats,
  getChat,
  listParticipants,
  listMessages,
  sendMessage,
  sendDirectMessage,
  raiseMarkers,
  sync,
] as const;
