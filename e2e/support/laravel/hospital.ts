import { randomUUID } from 'node:crypto';
import type { User } from '@wardline/contract/account/auth.ts';
import type { Chat, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';

export const EMAIL = 'ana@ward.test';
export const PASSWORD = 'a long ward password';
export const CHAT_TITLE = 'Night shift';

const ID = (last: number) => `01970000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const ANA = ID(1);
const BO = ID(2);
const FACILITY = ID(10);
const CHAT = ID(20);
export const CHAT_PATH = `/chat/f-${FACILITY}/c-${CHAT}`;

const user: User = {
  id: ANA,
  name: 'Ana Reyes',
  email: EMAIL,
  email_verified_at: '2026-01-05T08:00:00+00:00',
  avatar_url: null,
  is_operator: false,
  memberships: [
    {
      facility_id: FACILITY,
      facility_name: 'St. Brigid',
      title: 'Physician',
      roles: ['member'],
      permissions: ['chats.create'],
    },
  ],
};
const facility: Facility = {
  id: FACILITY,
  name: 'St. Brigid',
  code: 'SB',
  time_zone: 'Europe/Dublin',
  hour_cycle: 'h23',
  date_order: 'dmy',
  unit_count: 1,
  permissions: ['chats.create'],
};
const senders = new Map([
  [ANA, { id: ANA, name: 'Ana Reyes', title: 'Physician' }],
  [BO, { id: BO, name: 'Bo Lind', title: 'Charge nurse' }],
]);

export interface SentMessage {
  readonly client_id: string;
  readonly body: string;
  readonly reply_to?: string | null | undefined;
  readonly device_time?: string | null | undefined;
}

/** The rows of one small hospital: Ana, Bo, a facility, a chat. */
export interface Hospital {
  readonly user: User;
  readonly facility: Facility;
  readonly chatId: string;
  chat(): Chat;
  participants(): Participant[];
  messages(): readonly Message[];
  /** The same client_id again finds the stored one. */
  store(by: 'ana' | 'bo', sent: SentMessage): Message;
  raise(markers: { delivered_seq?: number | undefined; read_seq?: number | undefined }): {
    delivered_seq: number;
    read_seq: number;
  };
}

export function createHospital(): Hospital {
  const messages: Message[] = [];
  const markers = { delivered_seq: 0, read_seq: 0 };
  const madeAt = new Date().toISOString();

  const hospital: Hospital = {
    user,
    facility,
    chatId: CHAT,
    chat() {
      const last = messages.at(-1);
      return {
        id: CHAT,
        facility_id: FACILITY,
        kind: 'group',
        title: CHAT_TITLE,
        patient: null,
        state: 'open',
        head_seq: messages.length,
        version: 1,
        participant_count: senders.size,
        last_message: last === undefined ? null : excerptOf(last),
        my: {
          access: 'write',
          ...markers,
          unread: messages.filter(({ seq, sender }) => seq > markers.read_seq && sender.id !== ANA).length,
        },
        created_at: madeAt,
        updated_at: last?.created_at ?? madeAt,
      };
    },
    participants: () =>
      [...senders.values()].map(({ id, name, title }) => ({
        user_id: id,
        name,
        title,
        access: 'write',
        ...(id === ANA ? markers : { delivered_seq: 0, read_seq: 0 }),
      })),
    messages: () => messages,
    store(by, { client_id, body, reply_to, device_time }) {
      const sender = senders.get(by === 'ana' ? ANA : BO) ?? { id: BO, name: 'Bo Lind', title: null };
      const before = messages.find((message) => message.client_id === client_id && message.sender.id === sender.id);
      if (before !== undefined) return before;
      const message: Message = {
        id: randomUUID(),
        chat_id: CHAT,
        seq: messages.length + 1,
        client_id,
        sender,
        kind: 'text',
        body,
        reply_to: reply_to ?? null,
        device_time: device_time ?? null,
        created_at: new Date().toISOString(),
      };
      messages.push(message);
      return message;
    },
    raise({ delivered_seq = 0, read_seq = 0 }) {
      markers.read_seq = Math.max(markers.read_seq, read_seq);
      markers.delivered_seq = Math.max(markers.delivered_seq, delivered_seq, read_seq);
      return { ...markers };
    },
  };
  hospital.store('bo', { client_id: ID(101), body: 'Bed 4 is ready.' });
  hospital.store('bo', { client_id: ID(102), body: 'The pump in 3A beeps again.' });
  return hospital;
}

function excerptOf(message: Message): Chat['last_message'] {
  return {
    seq: message.seq,
    sender_id: message.sender.id,
    sender_name: message.sender.name,
    kind: message.kind,
    excerpt: message.body.slice(0, 160),
    created_at: message.created_at,
  };
}
