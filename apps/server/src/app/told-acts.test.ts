import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isMutating, sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { clientOf, entitledFor, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { openSocket, type TestSocket } from '#/testing/test-socket.ts';

/** In our hospital, and another's. */
const LISTENERS = ['with the right', 'reader of the chat', 'member without right', 'of another facility'] as const;
type Listener = (typeof LISTENERS)[number];

/** Whose own channel it is, as the table calls it; the other channels are the same for all of our hospital. */
const OWN: Readonly<Record<Listener, string>> = {
  'with the right': 'own',
  'reader of the chat': "reader's",
  'member without right': "member's",
  'of another facility': "stranger's",
};

interface Listening {
  readonly socket: TestSocket;
  readonly joined: readonly string[];
}

let world: World;
const listening = new Map<Listener, Listening>();
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(async () => {
  for (const { socket } of listening.values()) socket.close();
  await world.server.close();
});

/** Anew where an act has ended the session of who listens. */
async function listen(): Promise<void> {
  for (const who of LISTENERS) {
    if (listening.has(who)) continue;
    const socket = await openSocket(world.server);
    const client = await clientOf(world, who);
    const joined: string[] = [];
    for (const channel of channelsFor(who)) if ((await socket.join(client, channel)) === 'joined') joined.push(channel);
    listening.set(who, { socket, joined });
    void socket.closed.then(() => listening.delete(who));
  }
  await settle();
}

let marks = 0;
/** All that was published until now is heard, since what is published after it is; one that is closed hears no more. */
async function settle(): Promise<void> {
  const mark = ++marks;
  const channels = new Set([...listening.values()].flatMap(({ joined }) => joined));
  for (const channel of channels) world.server.gateway.publish(channel, 'Mark', mark);
  for (const { socket, joined } of listening.values()) {
    const marked = joined.map((name) => socket.next(({ channel, data }) => channel === name && data === mark));
    await Promise.race([Promise.all(marked), socket.closed]);
  }
}

function channelsFor(who: Listener): string[] {
  const { ours, theirs } = world;
  const users = {
    'with the right': ours.entitled,
    'reader of the chat': ours.reader,
    'member without right': ours.member,
    'of another facility': theirs.entitled,
  };
  return [
    `private-App.Models.User.${users[who].id}`,
    ...[`private-facility.${ours.facility.id}`, `private-census.${ours.facility.id}`, `presence-chat.${ours.chatId}`],
  ];
}

/** Who acts before let into our chat, and whom they say its urgent message has reached: the next one is not to depend on that. */
async function forgetOtherActs(): Promise<void> {
  const { ours, server } = world;
  const others = server.db.deleteFrom('chat_participants').where('chat_id', '=', ours.chatId);
  await others.where('user_id', 'not in', [ours.entitled.id, ours.reader.id]).execute();
  const reached = server.db.updateTable('escalation_people').set({ delivered_at: null, seen_at: null });
  await reached.where('escalation_id', '=', ours.messageId).execute();
}

/** Each event once, with the kind of its channel. */
function heard(since: ReadonlyMap<TestSocket, number>): string[] {
  const lines = [...listening].flatMap(([who, { socket }]) =>
    socket.frames.slice(since.get(socket)).flatMap(({ event, channel = '' }) => {
      if (!event.startsWith('App\\Events\\')) return [];
      const isOwn = who === 'of another facility' || channel.includes('App.Models.User');
      const kind = isOwn ? OWN[who] : channel.replace(/^[a-z]+-([a-z]+)[.].*/, '$1');
      return `${kind} ${event.replace('App\\Events\\', '')}`;
    }),
  );
  return [...new Set(lines)].sort();
}

/** A line in our chat, for who has it open and in the lists of all who are in it. */
const LINE = ['chat MessageSent', 'own ChatChanged', "reader's ChatChanged"];
const URGENT = ['chat UrgentMessageChanged', 'own UrgentChanged'];
const HANDED_OVER = ['chat HandoverChanged', 'own HandoverChanged', "reader's HandoverChanged"];
const named = (told: readonly string[], ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, told]));

/** What each act tells; any other tells nothing to these. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  ...named(['own MembershipChanged'], 'acceptInvitation', 'createChat'),
  // Of one's own place in a chat, to one's other devices.
  ...named(['own MembershipChanged'], 'setNotifications', 'setFavorite', 'setUnreadMark'),
  saveDraft: ['own DraftChanged'],
  // Somebody else's chats may be told of no more, or are again.
  setFacilityPolicies: ["member's MembershipChanged", 'own MembershipChanged', "reader's MembershipChanged"],
  ...named(['own ChatChanged', 'own MembershipChanged'], 'sendDirectMessage', 'sendRoleMessage', 'openInEmergency'),
  ...named(LINE, 'sendMessage', 'forwardMessage', 'updateChat', 'addParticipant', 'addChatRole'),
  ...named(LINE, 'exportChatRecord', 'exportPatientRecord'),
  // The line is not sent: who was removed still hears the channel.
  ...named(['own ChatChanged', "reader's ChatChanged"], 'removeParticipant', 'removeChatRole'),
  setReaction: ['chat ReactionsChanged'],
  editMessage: ['chat MessageEdited', 'own ChatChanged', "reader's ChatChanged"],
  deleteMessage: ['chat MessageDeleted', 'own ChatChanged', "reader's ChatChanged"],
  setPin: ['chat MessagePinned', ...LINE],
  raiseMarkers: ['chat MarkersChanged', 'own MarkersChanged', ...URGENT],
  noteUrgentDelivered: ['chat UrgentMessageChanged'],
  noteNotificationDelivered: URGENT,
  ...named([...LINE, ...URGENT], 'acceptUrgent', 'closeUrgent'),
  withdrawUrgent: [...LINE, ...URGENT, "reader's UrgentChanged"],
  ...named(['chat ExaminationChanged', ...LINE, ...URGENT], 'receiveCritical', 'readBackCritical'),
  ...named(['chat ExaminationChanged', ...LINE], 'createExamination', 'moveExamination', 'importExaminations'),
  ...named(['chat ExaminationChanged', ...LINE], 'assignLaboratoryResult'),
  ...named(['chat ExaminationChanged'], 'updateExamination', 'renewExaminationForm'),
  ...named([...HANDED_OVER, ...LINE], 'giveHandover', 'moveHandover', 'correctHandover'),
  setHandoverAction: HANDED_OVER,
  ...named(['facility OnCallChanged'], 'createOnCallRole', 'updateOnCallRole', 'retireOnCallRole'),
  ...named(['facility OnCallChanged'], 'planShift', 'deleteShift', 'takeOver', 'handOver'),
  // Who is gone is on call no more.
  ...named(['facility OnCallChanged'], 'removeMember', 'disableAccount'),
  setPresence: ['facility PresenceChanged'],
  ...named(
    ['facility MessageTemplatesChanged'],
    ...['createMessageTemplate', 'updateMessageTemplate', 'deleteMessageTemplate'],
  ),
  ...named(
    ['census CensusChanged'],
    ...['putUnitDay', 'submitUnitDay', 'withdrawUnitDay', 'approveUnitDay', 'amendUnitDay', 'estimateUnitDay'],
    ...['withdrawEstimate', 'takeSnapshot', 'signFacilityDay', 'lockFacilityDay', 'reopenFacilityDay'],
    ...['acknowledgeAlert', 'putNursingHours', 'receiveHl7', 'dismissProposal', 'startCensusFeed', 'importStays'],
    ...[
      'stopCensusFeed',
      'forgetCensusFeed',
      'acceptUnknownStay',
      'dismissUnknownStay',
      'createCensusUnit',
      'updateCensusUnit',
      'deleteCensusUnit',
    ],
    ...['orderCensusUnits', 'importUnits'],
  ),
  // With a line in a discussion that begins with it.
  ...named(
    ['census CensusChanged', 'own MembershipChanged'],
    ...['returnUnitDay', 'remindUnit', 'updateCensusSettings'],
  ),
};

const acts = endpoints.filter(isMutating);

it.each(acts.map((endpoint): [string, AnyEndpoint] => [endpoint.name, endpoint]))(
  'A18 %s tells what the table says, and nobody of another facility',
  async (name, endpoint) => {
    await forgetOtherActs();
    const sample = await sampleOf(world, endpoint);
    const client = await clientOf(world, entitledFor(endpoint));
    await listen();
    const since = new Map([...listening.values()].map(({ socket }) => [socket, socket.frames.length]));
    await sendSample(client, endpoint, sample);
    await settle();
    expect(heard(since)).toEqual((TOLD[name] ?? []).toSorted());
  },
);

it('A18 the table names acts', () => {
  const names = acts.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(TOLD)));
});
