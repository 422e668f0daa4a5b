import type { User } from '@wardline/contract/account/auth.ts';
import type { Chat, Message, Participant } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type {
  ChatList,
  ChatListItem,
  ChatView,
  PendingMessage,
  Receipt,
  TimelineItem,
} from '#/features/chat/core/chat-view.ts';

/** A night on the wards, typed by the contract: for tests and for looking at screens without a server. */

const id = (group: string, number: number): string =>
  `01970000-0000-7000-8${group.padStart(3, '0')}-${String(number).padStart(12, '0')}`;

export const now = Date.parse('2026-11-20T00:38:00Z');
const at = (minutesAgo: number): string => new Date(now - minutesAgo * 60_000).toISOString();

export const stBrigid: Facility = {
  id: id('f', 1),
  name: 'St. Brigid General',
  code: 'SB',
  time_zone: 'UTC',
  hour_cycle: 'h23',
  date_order: 'dmy',
  unit_count: 8,
  permissions: ['chats.create'],
};
export const harbour: Facility = {
  id: id('f', 2),
  name: 'Harbour District Clinic',
  code: 'HD',
  time_zone: 'UTC',
  hour_cycle: 'h23',
  date_order: 'dmy',
  unit_count: 1,
  permissions: ['chats.create'],
};

const person = (number: number, name: string, title: string | null) => ({ id: id('a', number), name, title });
export const ana = person(1, 'Ana Reyes', 'Charge nurse, MED 3A');
export const mira = person(2, 'Dr. Mira Okafor', 'Medical registrar, on call');
export const leila = person(3, 'Leila Haddad', 'Staff nurse');
export const priya = person(4, 'Priya Nair', 'Pharmacist');

export const anaUser: User = {
  id: ana.id,
  name: ana.name,
  email: 'ana.reyes@stbrigid.example',
  email_verified_at: at(10_000),
  avatar_url: null,
  is_operator: false,
  memberships: [stBrigid, harbour].map((facility) => ({
    facility_id: facility.id,
    facility_name: facility.name,
    title: ana.title,
    roles: ['charge-nurse'],
    permissions: facility.permissions,
  })),
};

interface ChatSketch {
  readonly title: string;
  readonly minutesAgo: number;
  readonly said: string;
  readonly by?: typeof ana;
  readonly unread?: number;
  readonly kind?: Chat['kind'];
  readonly state?: Chat['state'];
  readonly facility?: Facility;
  readonly patient?: Chat['patient'];
  readonly access?: Chat['my']['access'];
}

let chats = 0;
export function fakeChat(sketch: ChatSketch): Chat {
  chats += 1;
  const { title, minutesAgo, said, by = mira, unread = 0, facility = stBrigid, patient = null } = sketch;
  return {
    id: id('c', chats),
    facility_id: facility.id,
    kind: sketch.kind ?? (patient ? 'case' : 'group'),
    title,
    patient,
    state: sketch.state ?? 'open',
    head_seq: 40,
    version: 1,
    participant_count: 6,
    last_message: {
      seq: 40,
      sender_id: by.id,
      sender_name: by.name,
      kind: 'text',
      excerpt: said,
      created_at: at(minutesAgo),
    },
    my: { access: sketch.access ?? 'write', delivered_seq: 40, read_seq: 40 - unread, unread },
    created_at: at(minutesAgo + 600),
    updated_at: at(minutesAgo),
  };
}

const patient = (name: string, identifier: string, bed: string, born_on: string | null = '1948-03-14') => ({
  name,
  identifier,
  born_on,
  bed,
});

export const edith = fakeChat({
  title: 'Edith Maron',
  patient: patient('Edith Maron', '40-118-236', '3A-12'),
  minutesAgo: 2,
  said: 'K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate now, then insulin with glucose.',
  unread: 3,
});

export const allChats: readonly Chat[] = [
  edith,
  fakeChat({
    title: 'Priya Nair',
    kind: 'direct',
    minutesAgo: 8,
    said: 'Insulin and glucose are in the second fridge, left door, bottom shelf.',
    by: priya,
    unread: 1,
  }),
  fakeChat({
    title: 'MED 3A night team',
    minutesAgo: 12,
    said: 'Bed 9 is clean and made up, ready for ED.',
    by: leila,
    unread: 4,
  }),
  fakeChat({
    title: 'Rosalind Teague',
    patient: patient('Rosalind Teague', 'H-20-4415', 'C-07'),
    minutesAgo: 26,
    said: 'She can go home with the oral course. Letter is drafted.',
    facility: harbour,
    unread: 2,
  }),
  fakeChat({
    title: 'Casimir Wolny',
    patient: patient('Casimir Wolny', '40-119-502', '3A-03'),
    minutesAgo: 184,
    said: 'Wound dry, dressing changed at 21:30. Next look at 06:00.',
    by: ana,
  }),
  fakeChat({
    title: 'Noor Siddiqui',
    patient: patient('Noor Siddiqui', '40-121-004', 'MAT-2'),
    minutesAgo: 266,
    said: 'Handed over to nights. Feeding well, first bath tomorrow.',
    by: leila,
  }),
  fakeChat({
    title: 'Fire panel test, Fri 20 Nov, 14:00',
    kind: 'announcement',
    minutesAgo: 393,
    said: 'Bells ring for two minutes. Doors on 2 and 3 close by themselves.',
    access: 'read',
  }),
  fakeChat({
    title: 'Harbour clinic nurses',
    minutesAgo: 478,
    said: 'The vaccine fridge log is back on the wall.',
    facility: harbour,
    by: leila,
  }),
  fakeChat({
    title: 'Dr. Samuel Obi',
    kind: 'direct',
    minutesAgo: 2100,
    said: 'Thank you. I will tell the family.',
    by: ana,
  }),
  fakeChat({
    title: 'Maximiliane-Eleonore Schneiderhuber-Wolkenstein von und zu Hohenaschau',
    patient: patient(
      'Maximiliane-Eleonore Schneiderhuber-Wolkenstein von und zu Hohenaschau',
      '40-117-960-0000-0000-0000',
      '3A-08',
    ),
    minutesAgo: 2300,
    said: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    state: 'closed',
  }),
];

export function fakeList(
  items: readonly ChatListItem[] = allChats.map((chat) => ({ chat, pending: 0, failed: 0 })),
): ChatList {
  return {
    status: 'ready',
    items,
    unreadChats: items.filter(({ chat }) => chat.my.unread > 0).length,
    isFromDevice: false,
    error: null,
    retry: () => undefined,
  };
}

export function fakeMessage(
  seq: number,
  by: typeof ana,
  minutesAgo: number,
  body: string,
  kind: Message['kind'] = 'text',
): Message {
  return {
    id: id('d', seq),
    chat_id: edith.id,
    seq,
    client_id: id('e', seq),
    sender: by,
    kind,
    body,
    reply_to: null,
    device_time: null,
    created_at: at(minutesAgo),
  };
}

const said = (message: Message, receipt: Receipt | null = null): TimelineItem => ({
  type: 'message',
  message,
  receipt,
});

export function fakePending(
  number: number,
  state: PendingMessage['state'],
  body: string,
  reason: string | null = null,
): PendingMessage {
  return { clientId: id('b', number), body, state, reason, writtenAt: at(0) };
}

export const edithItems: readonly TimelineItem[] = [
  { type: 'gap', afterSeq: 0, beforeSeq: 30 },
  said(fakeMessage(30, ana, 160, 'created the chat', 'system')),
  said(
    fakeMessage(
      31,
      leila,
      144,
      'Obs done. BP 104/62, pulse 52, more tired than this afternoon. Urine 180 mL since 18:00.',
    ),
  ),
  said(
    fakeMessage(
      32,
      leila,
      142,
      'The 18:00 potassium was never drawn, the line was blocked. I have drawn it now and walked it down.',
    ),
  ),
  said(
    fakeMessage(
      33,
      mira,
      127,
      'Thanks. Hold tonight’s spironolactone and the potassium supplement. 12-lead ECG please, and call me with the K as soon as it is back.\n\nGuideline: https://guidelines.example/hyperkalaemia',
    ),
  ),
  said(fakeMessage(34, ana, 96, 'ECG done. No peaked T waves that I can see, PR 210 ms.'), {
    state: 'read',
    count: 4,
    of: 5,
  }),
  said(fakeMessage(35, ana, 95, 'Strip is in the folder at the bedside.'), { state: 'delivered', count: 5 }),
  said(
    fakeMessage(
      38,
      mira,
      3,
      'K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate 10 % 30 mL IV now, then insulin 10 units with 25 g glucose. Repeat K at 02:45.',
    ),
  ),
  said(
    fakeMessage(39, leila, 2, 'At the bedside. Second line is in, calcium is drawn up. Who signs the insulin with me?'),
  ),
  said(fakeMessage(40, leila, 2, 'Pulse 48.')),
  {
    type: 'pending',
    pending: fakePending(
      1,
      'failed',
      'Monitor strip from just now.',
      'The chat was closed before this arrived. Your text is kept.',
    ),
  },
  { type: 'pending', pending: fakePending(2, 'waiting', 'I do. Two minutes, I am in the drug room.') },
  { type: 'pending', pending: fakePending(3, 'sending', 'On my way.') },
];

export const edithPeople: readonly Participant[] = [ana, leila, mira, priya].map((someone, index) => ({
  user_id: someone.id,
  name: someone.name,
  title: someone.title,
  access: 'write',
  delivered_seq: 40,
  read_seq: 40 - index,
}));

/** Where no file is on its way. */
export const noUploads = () => new Promise<never>(() => undefined);

export function fakeChatView(change: Partial<ChatView> = {}): ChatView {
  const done = async () => undefined;
  return {
    status: 'ready',
    error: null,
    chat: edith,
    items: edithItems,
    hasOlder: false,
    isLoadingOlder: false,
    firstUnreadSeq: 38,
    participants: edithPeople,
    present: [leila, mira],
    typing: [mira],
    isFromDevice: false,
    quotes: new Map(),
    send: done,
    show: done,
    loadQuote: () => undefined,
    change: done,
    retrySend: done,
    discard: done,
    loadOlder: () => undefined,
    fillGap: () => undefined,
    markRead: () => undefined,
    noteTyping: () => undefined,
    refreshPeople: () => undefined,
    retry: () => undefined,
    ...change,
  };
}
