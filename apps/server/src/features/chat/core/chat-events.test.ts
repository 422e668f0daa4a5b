import { EVENT_NAMESPACE } from '@wardline/contract/channel.ts';
import { chatChannel, userChannel } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateChat } from '#/features/chat/chats/update-chat.ts';
import { raiseMarkers } from '#/features/chat/messages/raise-markers.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { openChat, openChatFixture, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { acceptUrgent } from '#/features/chat/urgent/act-on-urgent.ts';

let ward: Ward;
beforeAll(async () => {
  ward = await openChatFixture();
});
afterAll(() => ward.close());

/** Every path of keys in a value, without the values. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`));
}

test('A15 every event carries exactly these keys, and what the contract states', async () => {
  const ana = await ward.person('Ana Reyes');
  const mira = await ward.person('Mira Okafor');
  const chat = await openChat(ward, ana);
  const place = { chat: chat.id, user: mira.id };
  await addParticipant(await ana.ask(), { params: place, query: {}, body: {} });
  const long = `${'K 6.8 '.repeat(60)}marker-past-the-excerpt`;
  await say(ana, chat, { body: long });
  await raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body: { read_seq: 3 } });
  const urgent = { targets: { people: [mira.id], role_id: null } };
  const called = await say(ana, chat, { body: long, urgent });
  const asked = { chat: chat.id, message: called.id };
  await acceptUrgent(await mira.ask(), { params: asked, query: {}, body: {} });
  await updateChat(await ana.ask(), {
    params: { chat: chat.id },
    query: {},
    body: { expected_version: 1, title: 'Days' },
  });
  await removeParticipant({ rightsChanged: () => undefined })(await ana.ask(), { params: place, query: {}, body: {} });

  const shapes: Record<string, string[]> = {};
  for (const { channel, event, data } of ward.published) {
    const isOfChat = /^(presence|private)-chat\./.test(channel);
    const name = event.slice(EVENT_NAMESPACE.length);
    const events: Record<string, { safeParse(value: unknown): { success: boolean } }> = isOfChat
      ? chatChannel.events
      : userChannel.events;
    expect(events[name]?.safeParse(data).success, `${channel} ${name}`).toBe(true);
    const shape = `${isOfChat ? 'chat' : 'user'} ${name}`;
    shapes[shape] = [...new Set([...(shapes[shape] ?? []), ...keysOf(data)])].sort();
    if (!isOfChat) expect(JSON.stringify(data)).not.toContain('marker-past-the-excerpt');
  }
  expect(shapes).toMatchInlineSnapshot(`
    {
      "chat MarkersChanged": [
        "chat_id",
        "delivered_seq",
        "head_seq",
        "read_seq",
        "user_id",
      ],
      "chat MessageSent": [
        "message.body",
        "message.chat_id",
        "message.client_id",
        "message.created_at",
        "message.device_time",
        "message.id",
        "message.kind",
        "message.reply_to",
        "message.sender.id",
        "message.sender.name",
        "message.sender.title",
        "message.seq",
        "message.urgent.due_at",
        "message.urgent.entries.0.at",
        "message.urgent.entries.0.by.name",
        "message.urgent.entries.0.by.user_id",
        "message.urgent.entries.0.called.0",
        "message.urgent.entries.0.kind",
        "message.urgent.entries.0.note",
        "message.urgent.next",
        "message.urgent.people.0.accepted_at",
        "message.urgent.people.0.called_at",
        "message.urgent.people.0.delivered_at",
        "message.urgent.people.0.name",
        "message.urgent.people.0.role",
        "message.urgent.people.0.seen_at",
        "message.urgent.people.0.times",
        "message.urgent.people.0.user_id",
        "message.urgent.state",
        "message.urgent.step",
        "message.urgent.steps.0.after_min",
        "message.urgent.steps.0.call",
        "message.urgent.steps.1.after_min",
        "message.urgent.steps.1.call",
        "message.urgent.steps.2.after_min",
        "message.urgent.steps.2.call",
        "message.urgent.targets.people.0.name",
        "message.urgent.targets.people.0.user_id",
        "message.urgent.targets.role",
        "message.urgent.version",
      ],
      "chat UrgentMessageChanged": [
        "message.body",
        "message.change_seq",
        "message.chat_id",
        "message.client_id",
        "message.created_at",
        "message.device_time",
        "message.id",
        "message.kind",
        "message.reply_to",
        "message.sender.id",
        "message.sender.name",
        "message.sender.title",
        "message.seq",
        "message.urgent.due_at",
        "message.urgent.entries.0.at",
        "message.urgent.entries.0.by.name",
        "message.urgent.entries.0.by.user_id",
        "message.urgent.entries.0.called.0",
        "message.urgent.entries.0.kind",
        "message.urgent.entries.0.note",
        "message.urgent.entries.1.at",
        "message.urgent.entries.1.by.name",
        "message.urgent.entries.1.by.user_id",
        "message.urgent.entries.1.kind",
        "message.urgent.entries.1.note",
        "message.urgent.next",
        "message.urgent.people.0.accepted_at",
        "message.urgent.people.0.called_at",
        "message.urgent.people.0.delivered_at",
        "message.urgent.people.0.name",
        "message.urgent.people.0.role",
        "message.urgent.people.0.seen_at",
        "message.urgent.people.0.times",
        "message.urgent.people.0.user_id",
        "message.urgent.state",
        "message.urgent.step",
        "message.urgent.steps.0.after_min",
        "message.urgent.steps.0.call",
        "message.urgent.steps.1.after_min",
        "message.urgent.steps.1.call",
        "message.urgent.steps.2.after_min",
        "message.urgent.steps.2.call",
        "message.urgent.targets.people.0.name",
        "message.urgent.targets.people.0.user_id",
        "message.urgent.targets.role",
        "message.urgent.version",
      ],
      "user ChatChanged": [
        "chat_id",
        "facility_id",
        "head_change_seq",
        "head_seq",
        "last_message.created_at",
        "last_message.excerpt",
        "last_message.kind",
        "last_message.sender_id",
        "last_message.sender_name",
        "last_message.seq",
        "pin_count",
        "urgent_count",
        "version",
      ],
      "user MarkersChanged": [
        "chat_id",
        "delivered_seq",
        "head_seq",
        "read_seq",
        "user_id",
      ],
      "user MembershipChanged": [
        "change",
        "chat_id",
        "facility_id",
      ],
      "user UrgentCalled": [
        "chat_id",
        "facility_id",
        "message_id",
        "step",
      ],
      "user UrgentChanged": [
        "chat_id",
        "message_id",
      ],
    }
  `);
});
