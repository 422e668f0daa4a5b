import { DRAFTS_MAX, type Draft } from '@wardline/contract/chat/drafts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeParticipant } from '#/features/chat/participants/remove-participant.ts';
import {
  openChat,
  openChatFixture,
  type Person,
  refusalOf,
  say,
  type Ward,
} from '#/features/chat/testing/chat-fixture.ts';
import { createSeal } from '#/platform/config/seal.ts';
import { newId } from '#/platform/new-id.ts';
import { purgeDrafts } from './draft-queries.ts';
import { listDrafts } from './list-drafts.ts';
import { saveDraft } from './save-draft.ts';

const deps = { draftSeal: createSeal(Buffer.alloc(32, 7)) };
const MARKER = 'zinnober4711';

let ward: Ward;
beforeAll(async () => {
  ward = await openChatFixture();
});
afterAll(() => ward.close());

interface Page {
  readonly person: Person;
  readonly writer: string;
}
const pageOf = (person: Person): Page => ({ person, writer: newId() });

function draft(body: string, more: Partial<Draft> = {}): Draft {
  return { body, reply_to: null, mentions: [], ...more };
}

async function save(page: Page, chat: { id: string }, written: string | Draft | null, seen = 0): Promise<number> {
  const given = typeof written === 'string' ? draft(written) : written;
  const body = { draft: given, seen_version: seen, writer: page.writer };
  return (await saveDraft(deps)(await page.person.ask(), { params: { chat: chat.id }, query: {}, body })).version;
}

async function drafts(person: Person, chat?: string) {
  const query = chat === undefined ? {} : { chat };
  return (await listDrafts(deps)(await person.ask(), { params: {}, query, body: {} })).data;
}

async function pair() {
  const [mira, leila] = [await ward.person('Mira'), await ward.person('Leila')];
  return { mira, leila, chat: await openChat(ward, mira, [leila]) };
}

describe('CHAT-10 a draft on the server', () => {
  it('is read on the other devices of its person as it was written, and told to them by its id and version alone (A15)', async () => {
    const { mira, leila, chat } = await pair();
    const message = await say(leila, chat);
    const written = draft(`Potassium ${MARKER}, @Leila `, {
      reply_to: { id: message.id, seq: message.seq },
      mentions: [{ kind: 'user', id: leila.id, name: 'Leila' }],
    });
    ward.published.length = 0;
    const version = await save(pageOf(mira), chat, written);
    expect(await drafts(mira)).toMatchObject([{ chat_id: chat.id, version, draft: written }]);
    expect(await drafts(mira, newId())).toEqual([]);
    expect(ward.published).toEqual([
      {
        channel: `private-App.Models.User.${mira.id}`,
        event: 'App\\Events\\DraftChanged',
        data: { chat_id: chat.id, version },
        facilityId: ward.facility.id,
      },
    ]);
  });

  it('A16 is nobody else’s: not a participant’s, not a stranger’s', async () => {
    const { mira, leila, chat } = await pair();
    await save(pageOf(mira), chat, MARKER);
    expect(await drafts(leila)).toEqual([]);
    expect(await refusalOf(save(pageOf(await ward.person('Stranger')), chat, 'x'))).toBe('404 not_found');
  });

  it('A8 is sealed: neither its words nor those of the audit stand in the database', async () => {
    const { mira, chat } = await pair();
    await save(pageOf(mira), chat, `${MARKER} sealed`);
    const { rows } = await sql<{ found: number }>`
      select count(*)::int as found from chat_drafts d
      where encode(coalesce(d.sealed, ''), 'escape') like ${`%${MARKER}%`} or d::text like ${`%${MARKER}%`}`.execute(
      ward.db,
    );
    expect(rows).toEqual([{ found: 0 }]);
    const audited = await sql`select from audit_entries a where a::text like ${`%${MARKER}%`}`.execute(ward.db);
    expect(audited.rows).toEqual([]);
    expect(await drafts(mira)).toMatchObject([{ draft: { body: `${MARKER} sealed` } }]);
    // Copied to another chat or person it opens nothing.
    const { leila, chat: other } = await pair();
    await sql`insert into chat_drafts (user_id, chat_id, writer, sealed)
      select ${leila.id}, ${other.id}, writer, sealed from chat_drafts where user_id = ${mira.id}`.execute(ward.db);
    expect(await drafts(leila)).toMatchObject([{ draft: null }]);
  });

  it('follows only what its page has seen or saved: another device is told, and nothing is lost', async () => {
    const { mira, chat } = await pair();
    const [ward1, phone] = [pageOf(mira), pageOf(mira)];
    const first = await save(ward1, chat, 'from the ward');
    expect(await refusalOf(save(phone, chat, 'from the phone'))).toBe('409 conflict');
    expect(await refusalOf(save(phone, chat, null))).toBe('409 conflict');
    expect(await drafts(mira)).toMatchObject([{ draft: { body: 'from the ward' } }]);
    const second = await save(phone, chat, 'from both', first);
    expect(second).toBeGreaterThan(first);
    expect(await refusalOf(save(ward1, chat, 'late', first))).toBe('409 conflict');
    expect(await drafts(mira)).toMatchObject([{ version: second, draft: { body: 'from both' } }]);
  });

  it('F-N3 takes a repeat, and more from the same page, whose answer was lost, as its own', async () => {
    const { mira, chat } = await pair();
    const page = pageOf(mira);
    const version = await save(page, chat, 'abc');
    expect(await save(page, chat, 'abc')).toBe(version);
    expect(await save(pageOf(mira), chat, 'abc')).toBe(version);
    expect(await save(page, chat, 'abcd')).toBeGreaterThan(version);
  });

  it('of two pages that begin at the same moment one is told', async () => {
    const { mira, chat } = await pair();
    const pages = [pageOf(mira), pageOf(mira), pageOf(mira), pageOf(mira)];
    const outcomes = await Promise.all(pages.map((page, n) => refusalOf(save(page, chat, `text ${n}`))));
    expect(outcomes.toSorted()).toEqual(['409 conflict', '409 conflict', '409 conflict', 'none']);
  });

  it('is cleared with a version that says so, and never under a version that was there before', async () => {
    const { mira, chat } = await pair();
    const page = pageOf(mira);
    expect(await save(page, chat, null)).toBe(0);
    const written = await save(page, chat, 'x');
    const cleared = await save(page, chat, null, written);
    expect(await drafts(mira)).toMatchObject([{ version: cleared, draft: null }]);
    await sql`delete from chat_drafts where user_id = ${mira.id}`.execute(ward.db);
    expect(await save(page, chat, 'again')).toBeGreaterThan(cleared);
  });

  it('CHAT-6 A9 goes with the chat, at once, and with the membership', async () => {
    const { mira, leila, chat } = await pair();
    const second = await openChat(ward, mira, [leila]);
    for (const one of [chat, second]) await save(pageOf(leila), one, MARKER);
    const left = () => ward.db.selectFrom('chat_drafts').select('chat_id').where('user_id', '=', leila.id).execute();
    const remove = removeParticipant({ rightsChanged: async () => undefined });
    await remove(await mira.ask(), { params: { chat: chat.id, user: leila.id }, query: {}, body: {} });
    expect(await drafts(leila)).toMatchObject([{ chat_id: second.id }]);
    expect(await left()).toHaveLength(1);
    expect(await refusalOf(save(pageOf(leila), chat, 'x'))).toBe('404 not_found');
    await ward.endMembership(leila);
    expect(await left()).toEqual([]);
  });

  it('needs the right to write, and a chat that goes on; it may still be cleared', async () => {
    const { mira, chat } = await pair();
    const page = pageOf(mira);
    const version = await save(page, chat, 'x');
    await ward.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    expect(await refusalOf(save(page, chat, 'y', version))).toBe('403 forbidden');
    expect(await save(page, chat, null, version)).toBeGreaterThan(version);
  });

  it('is kept for 30 days, and for 100 chats of a person: what was cleared goes first', async () => {
    const { mira, leila, chat } = await pair();
    const page = pageOf(mira);
    await save(page, chat, 'oldest');
    for (let n = 0; n < DRAFTS_MAX - 1; n++) await save(page, await openChat(ward, mira), `text ${n}`);
    const [newest] = await drafts(mira);
    await save(page, { id: newest?.chat_id ?? '' }, null);
    await save(page, await openChat(ward, mira), 'one more');
    const bodies = (await drafts(mira)).map((one) => one.draft?.body);
    expect(bodies).toHaveLength(DRAFTS_MAX);
    expect(bodies).toContain('oldest');
    expect(bodies).not.toContain(undefined);
    await save(page, await openChat(ward, mira), 'and another');
    expect((await drafts(mira)).map((one) => one.draft?.body)).not.toContain('oldest');

    await save(pageOf(leila), chat, 'young');
    await sql`update chat_drafts set saved_at = now() - interval '31 days' where user_id = ${mira.id}`.execute(ward.db);
    await purgeDrafts(ward.db);
    expect(await drafts(mira)).toEqual([]);
    expect(await drafts(leila)).toHaveLength(1);
  });
});
