import type { Message } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getChat } from '#/features/chat/chats/get-chat.ts';
import { addParticipant } from '#/features/chat/participants/add-participant.ts';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import { search } from '#/features/chat/search/search.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import type { AppError } from '#/platform/http/app-error.ts';
import { newId } from '#/platform/new-id.ts';
import { makeChat } from '#/testing/factories/chats.ts';
import { makeMembership } from '#/testing/factories/facilities.ts';
import { deleteMessage } from './delete-message.ts';
import { editMessage } from './edit-message.ts';
import { forwardMessage } from './forward-message.ts';
import { getForwardSource } from './get-forward-source.ts';
import { listMessages } from './list-messages.ts';

const patient = { name: 'Edith Roth', identifier: 'MRN 4471', bornOn: '1950-02-03', bed: '3A-07' };

let ward: Ward;
let ana: Person;
let mira: Person;
let leila: Person;
/** Ana and Mira talk about Edith in the case; Ana and Leila are the team. */
let edith: { id: string };
let team: { id: string };
beforeAll(async () => {
  ward = await openChatFixture();
  ana = await ward.person('Ana Reyes');
  mira = await ward.person('Mira Okafor');
  leila = await ward.person('Leila Haddad');
});
afterAll(() => ward.close());
beforeEach(async () => {
  const participants = [{ userId: ana.id }, { userId: mira.id }];
  edith = await makeChat(ward.db, { facilityId: ward.facility.id, kind: 'case', patient, participants });
  team = await openChat(ward, ana, [leila]);
  ward.published.length = 0;
});

interface Forward {
  readonly from?: { readonly id: string };
  readonly to?: { readonly id: string };
  readonly client_id?: string;
}
const forward = async (
  by: Person,
  message: { id: string },
  { from = edith, to = team, client_id = newId() }: Forward = {},
) =>
  forwardMessage(await by.ask(), {
    params: { chat: to.id },
    query: {},
    body: { client_id, source: { chat: from.id, message: message.id } },
  });
const sourceFor = async (person: Person, { chat_id, id }: Message) =>
  (await getForwardSource(await person.ask(), { params: { chat: chat_id, message: id }, query: {}, body: {} })).source;
const listed = async (person: Person, chat: { id: string }) =>
  (await listMessages(await person.ask(), { params: { chat: chat.id }, query: {}, body: {} })).data;
const remove = async (by: Person, message: Message) =>
  deleteMessage(await by.ask(), {
    params: { chat: message.chat_id, message: message.id },
    query: {},
    body: { reason: 'Wrong chat' },
  });
const refusedFor = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => JSON.stringify((error as AppError).fields),
  );
const told = () => ward.published.map(({ channel, event }) => `${channel.split('.')[0]} ${event.split('\\').at(-1)}`);

describe('CHAT-11 a forwarded message', () => {
  test('is one of its own in the other chat, with who said it first, when and about which patient, and an entry for the audit', async () => {
    const said = await say(mira, edith, { body: 'K 6.9, repeat taken' });
    ward.published.length = 0;
    const sent = await forward(ana, said);
    const forwarded = {
      sender: { id: mira.id, name: 'Mira Okafor', title: 'Nurse' },
      sent_at: said.created_at,
      patient: { name: 'Edith Roth', identifier: 'MRN 4471', born_on: '1950-02-03' },
    };
    expect(sent).toMatchObject({ chat_id: team.id, body: said.body, sender: { id: ana.id }, kind: 'text', forwarded });
    expect((await listed(leila, team)).at(-1)).toEqual(sent);
    expect(told()).toEqual([
      ...['presence-chat MessageSent', 'private-chat MessageSent'],
      ...['private-App ChatChanged', 'private-App ChatChanged'],
    ]);
    const excerpt = 'Forwarded about Edith Roth: K 6.9, repeat taken';
    expect(ward.published.at(-1)?.data).toMatchObject({ last_message: { excerpt, sender_name: 'Ana Reyes' } });
    const { last_message, my } = await getChat(await leila.ask(), { params: { chat: team.id }, query: {}, body: {} });
    expect([last_message?.excerpt, my.unread]).toEqual([excerpt, 2]);
    const audits = ward.db.selectFrom('audit_entries').selectAll().where('action', '=', 'chat.message.forward');
    expect(await audits.where('object_id', '=', sent.id).execute()).toMatchObject([
      {
        ...{ actor_id: ana.id, facility_id: ward.facility.id },
        detail: { chat: team.id, seq: sent.seq, from_chat: edith.id, from_seq: said.seq },
      },
    ]);
    const found = await search(await leila.ask(), {
      params: {},
      query: { q: 'repeat taken', types: ['messages'] },
      body: {},
    });
    expect(found.data).toMatchObject([{ id: sent.id, forwarded }]);
  });

  test('A17 leads only those to its source who may read it, and tells nobody else which chat that is', async () => {
    const said = await say(mira, edith, { body: 'K 6.9' });
    ward.published.length = 0;
    const sent = await forward(ana, said);
    expect(await sourceFor(ana, sent)).toEqual({ chat_id: edith.id, facility_id: ward.facility.id, seq: said.seq });
    expect(await sourceFor(leila, sent)).toBeNull();
    expect(await refusalOf(sourceFor(mira, sent))).toBe('404 not_found');
    const toLeila = JSON.stringify([ward.published, await listed(leila, team), await forward(ana, said)]);
    expect(toLeila).not.toContain(edith.id);
    expect(toLeila).not.toContain(said.id);
    expect(toLeila).not.toContain('3A-07');

    await removeParticipant({ rightsChanged: () => undefined })(await ana.ask(), {
      params: { chat: edith.id, user: ana.id },
      query: {},
      body: {},
    });
    expect(await sourceFor(ana, sent)).toBeNull();
    const plain = await say(ana, team);
    expect(await sourceFor(leila, plain)).toBeNull();
  });

  test('keeps the words as they were: the source is edited or deleted, and no link is left to one that is gone', async () => {
    const said = await say(mira, edith, { body: 'K 6.9' });
    const sent = await forward(ana, said);
    const params = { chat: edith.id, message: said.id };
    await editMessage(await mira.ask(), { params, query: {}, body: { expected_version: 1, body: 'K 3.9' } });
    const again = await forward(ana, said);
    expect(again.body).toBe('K 3.9');
    await remove(mira, said);
    expect((await listed(leila, team)).slice(-2).map(({ body }) => body)).toEqual(['K 6.9', 'K 3.9']);
    expect(await sourceFor(ana, sent)).toBeNull();
    expect(await refusedFor(forward(ana, said))).toContain('The message to forward was deleted.');
  });

  test('is stored once however often it is sent, at once or late, and its client_id serves for nothing else', async () => {
    const [said, other] = [await say(mira, edith, { body: 'K 6.9' }), await say(mira, edith, { body: 'Na 140' })];
    const client_id = newId();
    const twins = await Promise.all([1, 2, 3].map(() => forward(ana, said, { client_id })));
    expect(new Set(twins.map(({ id, seq }) => `${id} ${seq}`)).size).toBe(1);
    expect(await refusalOf(forward(ana, other, { client_id }))).toBe('409 client_id_reused');
    expect(await refusalOf(say(ana, team, { client_id, body: said.body }))).toBe('409 client_id_reused');
    const plain = newId();
    await say(ana, team, { client_id: plain });
    expect(await refusalOf(forward(ana, said, { client_id: plain }))).toBe('409 client_id_reused');
    await remove(mira, said);
    expect((await forward(ana, said, { client_id })).id).toBe(twins[0]?.id);
    expect((await listed(leila, team)).filter(({ forwarded }) => forwarded)).toHaveLength(1);
  });

  test('A16 comes from what the forwarder may read, and goes to where they may write, within one facility', async () => {
    const before = await say(mira, edith, { body: 'before' });
    const late = await ward.person();
    const body = { access: 'read', history: 'now' } as const;
    await addParticipant(await ana.ask(), { params: { chat: team.id, user: late.id }, query: {}, body });
    await addParticipant(await ana.ask(), {
      params: { chat: team.id, user: mira.id },
      query: {},
      body: { history: 'now' },
    });
    const inTeam = await say(ana, team, { body: 'after' });
    expect(await refusalOf(forward(late, inTeam, { from: team }))).toBe('403 forbidden');
    expect(await refusalOf(forward(await ward.person(), before))).toBe('404 not_found');
    expect(await refusalOf(forward(mira, before, { to: { id: newId() } }))).toBe('404 not_found');

    // What is not theirs, what came before them and what never was have one answer.
    const sentence = 'You can’t read the message to forward any more.';
    const [first] = await listed(ana, team);
    expect(await refusedFor(forward(leila, before))).toContain(sentence);
    expect(await refusedFor(forward(mira, first ?? before, { from: team, to: edith }))).toContain(sentence);
    expect(await refusedFor(forward(ana, { id: newId() }))).toContain(sentence);
    expect(await refusedFor(forward(ana, before, { from: team }))).toContain(sentence);
    expect(await refusedFor(forward(ana, first ?? before, { from: team }))).toContain('Only what somebody wrote');
    expect(await refusalOf(forward(leila, before))).toBe('422 unprocessable');
  });

  test('A16 never goes from one hospital to another, by who works in both', async () => {
    const other = await ward.otherFacility();
    const both = await ward.person('Noor Aziz');
    await makeMembership(ward.db, { userId: both.id, facility: other, roles: ['clinician'] });
    const abroad = await makeChat(ward.db, { facilityId: other.id, participants: [{ userId: both.id }] });
    const here = await makeChat(ward.db, { facilityId: ward.facility.id, participants: [{ userId: both.id }] });
    const said = await say(both, here, { body: 'K 6.9' });
    const work = () => forward(both, said, { from: here, to: abroad });
    expect(await refusedFor(work())).toContain('Messages can only be forwarded within one facility.');
    expect(await listed(both, abroad)).toEqual([]);
  });

  test('of a forward still has who said it first and about whom, and leads to where it was taken from', async () => {
    const said = await say(mira, edith, { body: 'K 6.9' });
    const sent = await forward(ana, said);
    const own = await makeChat(ward.db, {
      ...{ facilityId: ward.facility.id, kind: 'case', participants: [{ userId: leila.id }] },
      patient: { ...patient, name: 'Otto Berg', identifier: 'MRN 9' },
    });
    const next = await forward(leila, sent, { from: team, to: own });
    expect(next.forwarded).toEqual(sent.forwarded);
    expect(await sourceFor(leila, next)).toMatchObject({ chat_id: team.id, seq: sent.seq });
  });

  test('is not edited, since the words are another’s, and goes whole when it is deleted', async () => {
    const sent = await forward(ana, await say(mira, edith, { body: 'K 6.9' }));
    const params = { chat: team.id, message: sent.id };
    const edit = editMessage(await ana.ask(), { params, query: {}, body: { expected_version: 1, body: 'K 3.9' } });
    expect(await refusalOf(edit)).toBe('422 unprocessable');
    const gone = await remove(ana, sent);
    expect([gone.body, gone.forwarded]).toEqual(['', undefined]);
    const { last_message } = await getChat(await leila.ask(), { params: { chat: team.id }, query: {}, body: {} });
    expect(last_message).toMatchObject({ excerpt: '', is_deleted: true });
    expect(await sourceFor(ana, gone)).toBeNull();
  });

  test('calls nobody anew whom the first one called', async () => {
    const said = await say(mira, edith, { body: '@Leila Haddad look' });
    const sent = await forward(ana, said);
    expect(sent.mentions).toBeUndefined();
    const { my } = await getChat(await leila.ask(), { params: { chat: team.id }, query: {}, body: {} });
    expect(my.mention_seq).toBe(0);
  });
});
