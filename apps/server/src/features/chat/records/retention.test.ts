import { readdir } from 'node:fs/promises';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { AskedRule } from '@wardline/contract/chat/records.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { makeMessages } from '#/testing/factories/chats.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { signedInMember } from '#/testing/signed-in-member.ts';
import { auditOf } from '#/testing/test-client.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { dueChats } from './retention-rules.ts';
import { RETENTION_JOB, runRetention, startDueRetention } from './run-retention.ts';
import { openRecordsFixture, type RecordsFixture } from './testing/records-fixture.ts';

const MONTHS: AskedRule = { kind: 'group', mode: 'delete', days: 90 };

let ward: RecordsFixture;
beforeAll(async () => {
  ward = await openRecordsFixture();
});
afterAll(() => ward.server.close());
beforeEach(async () => {
  await ward.server.db.deleteFrom('legal_holds').execute();
  await ward.keep(MONTHS);
});

const bodies = (messages: readonly Message[]) => messages.map(({ body }) => body);
const gone = { at: expect.any(String), reason: 'Deleted after 90 days', is_expired: true };
const entries = (action: string, objectId: string) =>
  ward.server.db
    .selectFrom('audit_entries')
    .select(['detail', 'actor_id'])
    .where('action', '=', action)
    .where('object_id', '=', objectId)
    .orderBy('id')
    .execute();
const rulesPath = () => `/api/facilities/${ward.facility.id}/retention`;

describe('what the night deletes', () => {
  it('ADM-4 R23 messages that are older than their kind of chat keeps them become tombstones, the younger stay', async () => {
    const chat = await ward.open();
    const old = await ward.say(ward.ana, chat, { body: 'K 6.9 in bed 9' });
    await ward.age(chat, 91);
    await ward.say(ward.leila, chat, { body: 'Thank you' });
    await ward.night();
    const [made, first, second] = await ward.read(chat);
    expect([made?.seq, first?.seq, second?.seq]).toEqual([1, 2, 3]);
    expect(first).toMatchObject({ id: old.id, body: '', sender: { id: ward.ana.id }, deleted: gone });
    expect(made).toMatchObject({ kind: 'system', body: '', deleted: gone });
    expect(second).toMatchObject({ body: 'Thank you' });
    expect(second?.deleted).toBeUndefined();
  });

  it('ADM-2 ADM-4 deletes nothing of a facility while it is closed, and goes on once it is open again', async () => {
    const chat = await ward.open();
    await ward.say(ward.ana, chat, { body: 'K 6.9 in bed 9' });
    await ward.age(chat, 91);
    const { db } = ward.server;
    const close = (deactivated_at: Date | null) =>
      db.updateTable('facilities').set({ deactivated_at }).where('id', '=', ward.facility.id).execute();
    const texts = async () => {
      const rows = db.selectFrom('messages').select('body').where('chat_id', '=', chat.id).where('kind', '=', 'text');
      return (await rows.execute()).map(({ body }) => body);
    };
    const before = await texts();
    await close(new Date());
    await ward.night();
    expect(await texts()).toEqual(before);
    await close(null);
    await ward.night();
    expect(await texts()).not.toEqual(before);
  });

  it('ADM-2 ADM-4 deletes nothing of a facility that is closed while the night waits for its rules, which is no fault', async () => {
    const chat = await ward.open();
    await ward.say(ward.ana, chat, { body: 'K 6.9 in bed 9' });
    await ward.age(chat, 91);
    const { db } = ward.server;
    const close = (tx: typeof db, deactivated_at: Date | null) =>
      tx.updateTable('facilities').set({ deactivated_at }).where('id', '=', ward.facility.id).execute();
    await db.updateTable('retention_policies').set({ next_run_at: new Date() }).execute();
    await startDueRetention({ db, log: createLog('silent') });
    const { night } = await db.transaction().execute(async (tx) => {
      await lockRetentionPolicy(tx, ward.facility.id, 'update');
      const night = ward.server.runJobs();
      await untilBlocked(db, night);
      await close(tx, new Date());
      return { night };
    });
    await night;
    const faults = await db.selectFrom('jobs').select('last_error').where('kind', '=', RETENTION_JOB).execute();
    await close(db, null);
    expect(faults.map(({ last_error }) => last_error).filter((fault) => fault !== null)).toEqual([]);
    expect(bodies(await ward.read(chat))).toContain('K 6.9 in bed 9');
  });

  it('ADM-4 of a message nothing is left but who, when and why: text, versions, files, mentions, pin, reactions, notes', async () => {
    const { ana, leila, server } = ward;
    const chat = await ward.open();
    const file = await upload(ana.client, chat.id, { bytes: pdf('Maron, Edith'), name: 'Maron, Edith.pdf' });
    const mentions = [{ kind: 'user', id: leila.id }];
    const message = await ward.say(ana, chat, { body: '@Leila Haddad zebrafish', attachments: [file], mentions });
    const pathOf = ({ id }: Message) => `/api/chats/${chat.id}/messages/${id}`;
    const said = await ward.say(ana, chat, { body: 'quagga, see me' });
    const done = [
      await ana.client.send('PATCH', pathOf(message), {
        body: { expected_version: 1, body: '@Leila Haddad zebracake' },
      }),
      await ana.client.send('PUT', `${pathOf(message)}/pin`, { body: { is_pinned: true } }),
      await leila.client.send('PUT', `${pathOf(message)}/reactions/seen`, { body: { is_set: true } }),
      await ana.client.send('PUT', `${pathOf(said)}/deletion`, { body: { reason: 'quagga is a name' } }),
    ];
    expect(done.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect((await ana.client.send('GET', '/api/search?q=zebracake')).body).toContain('zebracake');
    await ward.age(chat, 100);
    await ward.night();
    await server.runJobs();
    const row = await server.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', message.id)
      .executeTakeFirstOrThrow();
    const nothing = { attachments: null, reactions: null, mentions: null, pinned: null, edited_at: null };
    expect(row).toMatchObject({ ...nothing, body: '', sender_id: ana.id, seq: message.seq });
    for (const table of ['messages', 'message_versions', 'message_mentions', 'attachments', 'chats'] as const) {
      const dump = JSON.stringify(await server.db.selectFrom(table).selectAll().execute());
      for (const word of ['zebra', 'quagga', 'Maron']) expect(dump, table).not.toContain(word);
    }
    const stored = await server.db.selectFrom('attachments').select(['state', 'key']).where('id', '=', file).execute();
    expect(stored).toMatchObject([{ state: 'removed' }]);
    const own = await server.db
      .selectFrom('chat_participants')
      .select('mention_seq')
      .where('chat_id', '=', chat.id)
      .where('user_id', '=', leila.id)
      .execute();
    expect(own).toEqual([{ mention_seq: 0 }]);
    expect((await ana.client.send('GET', `/api/chats/${chat.id}`)).json()).toMatchObject({ pin_count: 0 });
    expect((await ana.client.send('GET', '/api/search?q=zebracake')).body).not.toContain('cake');
    expect((await ana.client.send('GET', `/storage/attachments/${file}/file`)).statusCode).toBe(404);
  });

  it('ADM-4 A19 the bytes of its files leave the store', async () => {
    const { ana, server } = ward;
    const chat = await ward.open();
    const file = await upload(ana.client, chat.id, { bytes: pdf('x'), name: 'x.pdf' });
    await ward.say(ana, chat, { body: '', attachments: [file] });
    expect((await ana.client.send('GET', `/storage/attachments/${file}/file`)).statusCode).toBe(200);
    const { key } = await server.db
      .selectFrom('attachments')
      .select('key')
      .where('id', '=', file)
      .executeTakeFirstOrThrow();
    const files = async () =>
      (await readdir(server.filesRoot, { recursive: true })).filter(
        (name) => name.includes(key) && name.endsWith('.bin'),
      );
    expect(await files()).not.toEqual([]);
    await ward.age(chat, 100);
    await ward.night();
    expect(await files()).toEqual([]);
  });

  it('ADM-4 every device hears of it by the count of changes, and the list no longer shows the text', async () => {
    const chat = await ward.open();
    await ward.say(ward.ana, chat, { body: 'axolotl' });
    await ward.age(chat, 91);
    const before = (await ward.ana.client.send('GET', `/api/chats/${chat.id}`)).json();
    await ward.night();
    const after = (await ward.ana.client.send('GET', `/api/chats/${chat.id}`)).json();
    expect(after.head_change_seq).toBe(before.head_change_seq + 2);
    expect(after.last_message).toMatchObject({ excerpt: '', is_deleted: true, is_expired: true });
    expect(after.updated_at).toBe(before.updated_at);
    const changed = await ward.leila.client.send(
      'GET',
      `/api/chats/${chat.id}/messages?changed_after=${before.head_change_seq}&limit=50`,
    );
    expect(changed.json().data.map(({ seq, change_seq }: Message) => [seq, change_seq])).toEqual([
      [1, before.head_change_seq + 1],
      [2, before.head_change_seq + 2],
    ]);
  });

  it('ADM-4 a repeat of what was sent long ago finds its tombstone and stores nothing again', async () => {
    const chat = await ward.open();
    const sent = { client_id: newId(), body: 'once' };
    await ward.say(ward.ana, chat, sent);
    await ward.age(chat, 91);
    await ward.night();
    expect(await ward.say(ward.ana, chat, sent)).toMatchObject({ body: '', deleted: gone });
    expect(await ward.read(chat)).toHaveLength(2);
  });
});

describe('what it does not delete', () => {
  it('ADM-4 what is kept, younger, or of another kind of chat stays', async () => {
    const chats = [await ward.open(), await ward.open({ title: 'Old' })];
    await ward.keep({ kind: 'announcement', mode: 'delete', days: 30 });
    for (const chat of chats) await ward.age(chat, 4_000);
    await ward.night();
    await ward.keep({ kind: 'group', mode: 'delete', days: 5_000 });
    await ward.night();
    for (const chat of chats) expect(bodies(await ward.read(chat))).toEqual(['created the chat']);
  });

  it('ADM-4 a patient’s chat is left whole until it is closed', async () => {
    await ward.keep({ kind: 'case', mode: 'delete', days: 30 });
    const patient = { name: 'Edith Maron', identifier: `MRN ${newId()}`, born_on: '1948-03-14', bed: null };
    const chat = await ward.open({ kind: 'case', patient, title: undefined });
    await ward.say(ward.ana, chat, { body: 'Admitted' });
    await ward.age(chat, 40);
    await ward.night();
    expect(bodies(await ward.read(chat))).toContain('Admitted');
    const closed = { expected_version: 1, state: 'closed' };
    const answer = await ward.ana.client.send('PATCH', `/api/chats/${chat.id}`, { body: closed });
    expect(answer.statusCode, answer.body).toBe(200);
    await ward.night();
    expect(bodies(await ward.read(chat)).slice(0, 2)).toEqual(['', '']);
  });

  it('ADM-4 an urgent message waits until somebody has closed it; then its notes go too', async () => {
    const { ana, leila, server } = ward;
    const chat = await ward.open();
    const urgent = { targets: { people: [leila.id], role_id: null } };
    const message = await ward.say(ana, chat, { body: 'Come at once', urgent });
    await ward.age(chat, 91);
    await ward.night();
    expect(bodies(await ward.read(chat))).toEqual(['', 'Come at once']);
    const path = `/api/chats/${chat.id}/messages/${message.id}/urgent`;
    await leila.client.send('PUT', `${path}/acceptance`, { body: {} });
    const closed = await leila.client.send('PUT', `${path}/closure`, { body: { note: 'okapi given' } });
    expect(closed.statusCode, closed.body).toBe(200);
    await ward.age(chat, 91);
    await ward.night();
    expect((await ward.read(chat))[1]).toMatchObject({ body: '', deleted: gone });
    const notes = await server.db.selectFrom('escalation_entries').select(['kind', 'note', 'user_id']).execute();
    expect(notes).toContainEqual({ kind: 'acted', note: null, user_id: leila.id });
    expect(JSON.stringify(notes)).not.toContain('okapi');
  });

  it('ADM-4 signed reports stay, and so does the alert that called about a critical result', async () => {
    await ward.keep({ kind: 'case', mode: 'delete', days: 30 });
    const { ana, leila, server, facility } = ward;
    const patient = { name: 'Edith Maron', identifier: `MRN ${newId()}`, born_on: '1948-03-14', bed: null };
    const chat = await ward.open({ kind: 'case', patient, title: undefined });
    const id = await makeExamination(server.db, {
      ...{
        chatId: chat.id,
        facilityId: facility.id,
        userId: ana.id,
        state: 'in_progress',
        values: { potassium: '6.8' },
      },
    });
    const critical = { kind: 'alert', category: 'minutes', targets: { people: [leila.id], role_id: null } };
    const signed = await ana.client.send('POST', `/api/examinations/${id}/transitions`, {
      body: { to: 'reported', expected_version: 1, critical },
    });
    expect(signed.statusCode, signed.body).toBe(200);
    const [alert] = signed.json().critical_alerts;
    await server.db.updateTable('escalations').set({ state: 'withdrawn', due_at: null }).execute();
    await server.db.updateTable('chats').set({ state: 'closed' }).where('id', '=', chat.id).execute();
    await ward.age(chat, 40);
    await ward.night();
    const left = (await ward.read(chat)).filter(({ body }) => body !== '');
    expect(left.map((message) => message.id)).toEqual([alert.message_id]);
    const report = await ana.client.send('GET', `/api/examinations/${id}`);
    expect(report.json()).toMatchObject({ state: 'reported', report_version: 1 });
    expect(report.json().entries).toContainEqual(expect.objectContaining({ field: 'potassium', value: '6.8' }));
  });

  it('ADM-4 what is kept until it was exported waits for that, and for what changed since', async () => {
    await ward.keep({ kind: 'group', mode: 'delete_exported', days: 90 });
    const chat = await ward.open();
    await ward.say(ward.ana, chat, { body: 'one' });
    const two = await ward.say(ward.ana, chat, { body: 'two' });
    await ward.age(chat, 91);
    await ward.night();
    expect(bodies(await ward.read(chat))).toContain('one');
    const { db } = ward.server;
    await db.updateTable('chats').set({ exported_seq: 3 }).where('id', '=', chat.id).execute();
    await ward.say(ward.ana, chat, { body: 'three' });
    await ward.age(chat, 91);
    const edit = { body: { expected_version: 1, body: 'two, mended' } };
    expect((await ward.ana.client.send('PATCH', `/api/chats/${chat.id}/messages/${two.id}`, edit)).statusCode).toBe(
      200,
    );
    await ward.night();
    expect(bodies(await ward.read(chat))).toEqual(['', '', 'two, mended', 'three']);
    await db.updateTable('chats').set({ exported_seq: 4, exported_change_seq: 99 }).where('id', '=', chat.id).execute();
    await ward.night();
    expect(bodies(await ward.read(chat))).toEqual(['', '', '', '']);
  });

  it('ADM-4 F-S4 the chats that wait for an export are listed until they are exported, not those that are held or young', async () => {
    const rule: AskedRule = { kind: 'group', mode: 'delete_exported', days: 90 };
    await ward.keep(rule);
    const { db } = ward.server;
    await db.updateTable('messages').set({ created_at: new Date() }).execute();
    const [old, held, changed] = [await ward.open(), await ward.open(), await ward.open()];
    await ward.open();
    for (const chat of [old, held, changed]) await ward.age(chat, 91);
    const subject = { kind: 'chat', chat_id: held.id };
    const body = { client_id: newId(), subject, reason: 'Claim of the family, 2026.' };
    await ward.rhea.client.send('POST', `/api/facilities/${ward.facility.id}/legal-holds`, { body });
    await sql`
      update chats set exported_at = now(), exported_seq = head_seq, exported_change_seq = head_change_seq
      where id = ${changed.id}`.execute(db);
    const list = async (query = '') => (await ward.rhea.client.send('GET', `${rulesPath()}/unexported${query}`)).json();
    const idsOf = ({ data }: { data: readonly { chat: { id: string } }[] }) => data.map(({ chat }) => chat.id);
    expect(await list()).toEqual({
      data: [{ chat: { id: old.id, kind: 'group', title: 'Night team', patient: null }, exported_at: null }],
      next_cursor: null,
    });
    await sql`
      update messages set change_seq = (select head_change_seq + 1 from chats where id = ${changed.id})
      where chat_id = ${changed.id}`.execute(db);
    expect(idsOf(await list())).toEqual([old.id, changed.id]);
    const first = await list('?limit=1');
    expect(idsOf(first)).toEqual([old.id]);
    expect(idsOf(await list(`?limit=1&cursor=${first.next_cursor}`))).toEqual([changed.id]);
    const reason = 'Taken to the archive of the ward.';
    const exported = await ward.rhea.client.send('POST', `/api/chats/${old.id}/record`, { body: { reason } });
    expect(exported.statusCode).toBe(200);
    expect(idsOf(await list())).toEqual([changed.id]);
    await ward.keep({ ...rule, mode: 'delete' });
    expect(idsOf(await list())).toEqual([]);
  });

  it('A46 nothing else takes a text that the database keeps: not the server’s own statements', async () => {
    const chat = await ward.open();
    const urgent = { targets: { people: [ward.leila.id], role_id: null } };
    await ward.say(ward.ana, chat, { body: 'Come at once', urgent });
    const message = await ward.say(ward.ana, chat, { body: 'first' });
    const edit = { body: { expected_version: 1, body: 'second' } };
    const edited = await ward.ana.client.send('PATCH', `/api/chats/${chat.id}/messages/${message.id}`, edit);
    expect(edited.statusCode, edited.body).toBe(200);
    const { db } = ward.server;
    await expect(
      db.deleteFrom('message_versions').where('message_id', '=', message.id).execute(),
    ).rejects.toMatchObject({
      code: '42501',
    });
    await expect(sql`update escalation_entries set note = null`.execute(db)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('how it is done', () => {
  it('ADM-4 A46 the audit says how many of which chat, and of the run, and no text; twice does nothing', async () => {
    // What other tests left old enough.
    await ward.night();
    const chat = await ward.open();
    await ward.say(ward.ana, chat, { body: 'pangolin' });
    await ward.age(chat, 91);
    await ward.night();
    await ward.night();
    const told = await entries('retention.expire', chat.id);
    expect(told).toEqual([{ actor_id: null, detail: { messages: 2, files: 0, waiting: 0, from: 1, to: 2, days: 90 } }]);
    const runs = await entries('retention.run', ward.facility.id);
    expect(runs.at(-2)?.detail).toEqual({ chats: 1, messages: 2, files: 0, busy: 0 });
    expect(runs.at(-1)?.detail).toEqual({ chats: 0, messages: 0, files: 0, busy: 0 });
    expect(JSON.stringify(await ward.server.db.selectFrom('audit_entries').select('detail').execute())).not.toContain(
      'pangolin',
    );
  });

  it('ADM-4 R23 a run whose process was killed in the middle is whole after the next, in the order of the changes', async () => {
    const chat = await ward.open();
    const messages = Array.from({ length: 1_200 }, (_, n) => ({
      senderId: ward.ana.id,
      body: `no ${n}`,
      at: new Date(Date.now() - 100 * 86_400_000),
    }));
    await makeMessages(ward.server.db, { chatId: chat.id, facilityId: ward.facility.id, after: 1, messages });
    await ward.age(chat, 91);
    let steps = 0;
    const publish = () => {
      steps += 1;
      if (steps === 2) throw new Error('killed');
    };
    const { db } = ward.server;
    await db.deleteFrom('jobs').where('kind', '=', RETENTION_JOB).execute();
    const handler = runRetention({ publish });
    const payload = {
      facility: ward.facility.id,
      kind: 'case',
      after: null,
      totals: { chats: 0, messages: 0, files: 0, busy: 0 },
    };
    const context = { db, log: createLog('silent'), jobId: newId() };
    await expect(handler(payload, context)).rejects.toThrow('killed');
    await handler(payload, context);
    const rows = await db
      .selectFrom('messages')
      .select(['seq', 'change_seq', 'is_expired'])
      .where('chat_id', '=', chat.id)
      .orderBy('seq')
      .execute();
    expect(rows).toHaveLength(1_201);
    expect(rows.every(({ is_expired }) => is_expired)).toBe(true);
    expect(rows.map(({ change_seq }) => change_seq)).toEqual(rows.map((_, index) => index + 1));
    const found = await db
      .selectFrom('chats')
      .select(['expired_seq', 'head_change_seq'])
      .where('id', '=', chat.id)
      .execute();
    expect(found).toEqual([{ expired_seq: 1_201, head_change_seq: 1_201 }]);
    expect(
      (await entries('retention.expire', chat.id)).map(({ detail }) => (detail as { messages: number }).messages),
    ).toEqual([500, 500, 201]);
  });

  it('ADM-4 a night that takes longer than its slice goes on where it was, and counts each chat and message once', async () => {
    await ward.night();
    const { db } = ward.server;
    const [long, short] = [await ward.open(), await ward.open()];
    const messages = Array.from({ length: 700 }, (_, n) => ({ senderId: ward.ana.id, body: `no ${n}` }));
    await makeMessages(db, { chatId: long.id, facilityId: ward.facility.id, after: 1, messages });
    for (const chat of [long, short]) await ward.age(chat, 91);
    await db.deleteFrom('jobs').where('kind', '=', RETENTION_JOB).execute();
    const before = (await entries('retention.run', ward.facility.id)).length;
    const totals = { chats: 0, messages: 0, files: 0, busy: 0 };
    const begin = { facility: ward.facility.id, kind: 'case', after: null, totals };
    const context = { db, log: createLog('silent'), jobId: newId() };
    const next = async () => {
      const { id, payload } = await db
        .selectFrom('jobs')
        .select(['id', 'payload'])
        .where('kind', '=', RETENTION_JOB)
        .executeTakeFirstOrThrow();
      await db.deleteFrom('jobs').where('id', '=', id).execute();
      return payload;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      // Each step takes longer than a slice: the first ends in the middle of the long chat, the second with it.
      const handler = runRetention({ publish: () => void vi.setSystemTime(Date.now() + 60_000) });
      await handler(begin, context);
      expect(bodies(await ward.read(short)), 'left for the next slice').toEqual(['created the chat']);
      const first = await next();
      expect(first).toMatchObject({ kind: 'group', after: null, totals: { ...totals, chats: 1, messages: 500 } });
      await handler(first, context);
      const second = await next();
      expect(second).toMatchObject({ totals: { ...totals, chats: 1, messages: 701 } });
      await handler(second, context);
      const third = await next();
      expect(third).toMatchObject({ totals: { ...totals, chats: 2, messages: 702 } });
      await handler(third, context);
    } finally {
      vi.useRealTimers();
    }
    expect(await db.selectFrom('jobs').select('id').where('kind', '=', RETENTION_JOB).execute()).toEqual([]);
    const runs = (await entries('retention.run', ward.facility.id)).slice(before);
    expect(runs.map(({ detail }) => detail)).toEqual([{ ...totals, chats: 2, messages: 702 }]);
  });

  it('ADM-4 a chat that somebody holds is left for another night, and the run goes on to the next', async () => {
    const [held, free] = [await ward.open(), await ward.open()];
    for (const chat of [held, free]) await ward.age(chat, 91);
    await ward.server.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${held.id} for no key update`.execute(tx);
      await ward.night();
    });
    expect(bodies(await ward.read(held))).toEqual(['created the chat']);
    expect(bodies(await ward.read(free))).toEqual(['']);
    expect((await entries('retention.run', ward.facility.id)).at(-1)?.detail).toMatchObject({ busy: 1 });
    await ward.night();
    expect(bodies(await ward.read(held))).toEqual(['']);
  });

  it('ADM-4 R23 two servers whose night comes at once begin one run', async () => {
    const { db } = ward.server;
    await db.deleteFrom('jobs').where('kind', '=', RETENTION_JOB).execute();
    await db.updateTable('retention_policies').set({ next_run_at: sql`now()` }).execute();
    const start = () => startDueRetention({ db, log: createLog('silent') });
    await Promise.all([start(), start()]);
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', RETENTION_JOB).execute();
    expect(jobs).toHaveLength(1);
    const next = await db
      .selectFrom('retention_policies')
      .select(sql<string>`to_char(next_run_at at time zone 'Europe/Dublin', 'HH24:MI')`.as('at'))
      .execute();
    expect(next).toEqual([{ at: '02:00' }]);
    expect(
      await createJobs({ db, log: createLog('silent'), handlers: { [RETENTION_JOB]: async () => undefined } }).runDue(),
    ).toBeGreaterThan(0);
  });

  it('ADM-4 the next chats of a run come by the key of their kind, whether the first left is old enough by that of its seq', async () => {
    const due = dueChats(ward.facility.id, { ...MONTHS, days: 90 });
    const chat = await ward.open();
    const lines = await ward.server.db.transaction().execute(async (tx) => {
      // Enough of both that one key is better than another: chats of another kind, and messages of one chat.
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`
        insert into chats (id, facility_id, kind, title, created_by, client_id)
          select gen_random_uuid(), facility_id, 'announcement', title, created_by, gen_random_uuid()
          from chats cross join generate_series(1, 3000) where id = ${chat.id}`.execute(tx);
      await sql`
        insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body)
          select gen_random_uuid(), chat_id, facility_id, 100000 + n, gen_random_uuid(), sender_id, kind, body
          from messages cross join generate_series(1, 3000) n where chat_id = ${chat.id}`.execute(tx);
      await sql`analyze chats, messages`.execute(tx);
      const query = sql<{ 'QUERY PLAN': string }>`
        explain select c.id from ${due} and c.id > ${'00000000-0000-0000-0000-000000000000'} order by c.id limit 100`;
      return (await query.execute(tx)).rows.map((row) => row['QUERY PLAN']).join();
    });
    expect(lines).toContain('chats_of_kind');
    expect(lines).toContain('messages_chat_id_seq_key');
  });
});

describe('the rules of a facility', () => {
  const rulesWith = (...rules: readonly AskedRule[]) =>
    (['case', 'group', 'direct', 'announcement'] as const).map(
      (kind) => rules.find((rule) => rule.kind === kind) ?? { kind, mode: 'keep', days: null },
    );
  const get = async () => (await ward.rhea.client.send('GET', rulesPath())).json();
  const set = async (version: number, ...rules: readonly AskedRule[]) =>
    ward.rhea.client.send('PUT', rulesPath(), { body: { expected_version: version, rules: rulesWith(...rules) } });
  const hours = (rule: { effective_at: string }) =>
    Math.round((Date.parse(rule.effective_at) - Date.now()) / 3_600_000);
  const ofGroup = (answer: { rules: { kind: string; effective_at: string }[] }) => {
    const rule = answer.rules.find(({ kind }) => kind === 'group');
    if (!rule) throw new Error('no rule');
    return rule;
  };

  it('ADM-4 what deletes more than before waits a day, also where it is then made longer; what deletes less holds at once', async () => {
    await ward.keep();
    let { version } = await get();
    const first = await set(version, { ...MONTHS, days: 90 });
    expect(hours(ofGroup(first.json()))).toBe(24);
    version = first.json().version;
    const longer = await set(version, { ...MONTHS, days: 120 });
    expect(hours(ofGroup(longer.json()))).toBe(24);
    await ward.keep({ ...MONTHS, days: 120 });
    version = (await get()).version;
    const later = await set(version, { ...MONTHS, days: 200 });
    expect(hours(ofGroup(later.json()))).toBeLessThanOrEqual(0);
    const shorter = await set(later.json().version, { ...MONTHS, days: 100 });
    expect(hours(ofGroup(shorter.json()))).toBe(24);
    const chat = await ward.open();
    await ward.age(chat, 300);
    await ward.night();
    expect(bodies(await ward.read(chat))).toEqual(['created the chat']);
    expect((await set(version, MONTHS)).statusCode).toBe(409);
  });

  it('ADM-4 A16 ADM-3 rules are of one facility; what is set as it stands is no change, and the audit has what was before', async () => {
    const there = await makeFacility(ward.server.db);
    const both = await signedInMember(ward.server, {
      facility: ward.facility,
      name: 'Bo Both',
      roles: ['facilityAdministrator'],
    });
    await makeMembership(ward.server.db, { userId: both.id, facility: there, roles: ['facilityAdministrator'] });
    const path = (of: { id: string }) => `/api/facilities/${of.id}/retention`;
    const seen = async (of: { id: string }) => (await both.client.send('GET', path(of))).json();
    const put = (of: { id: string }, expected_version: number, rule: AskedRule) =>
      both.client.send('PUT', path(of), { body: { expected_version, rules: rulesWith(rule) } });
    const [ours, theirs] = [await seen(ward.facility), await seen(there)];
    expect(theirs).toMatchObject({ version: 0, next_run_at: null });
    const set = (await put(there, 0, { ...MONTHS, days: 40 })).json();
    expect(set).toMatchObject({ version: 1, next_run_at: expect.any(String) });
    expect(await seen(ward.facility)).toEqual(ours);
    expect((await put(there, 1, { ...MONTHS, days: 40 })).json()).toEqual(set);
    expect((await put(there, 1, { ...MONTHS, mode: 'keep', days: null })).json()).toMatchObject({
      version: 2,
      next_run_at: null,
    });
    const details = (await auditOf(ward.server, 'retention.set', both.id)).map(({ facility_id, object_id, detail }) => {
      expect([facility_id, object_id]).toEqual([there.id, there.id]);
      return detail;
    });
    const kept = { kind: 'group', mode: 'keep', days: null };
    expect(details).toMatchObject([
      { rules: [kept], before: [{ ...MONTHS, days: 40 }] },
      { rules: [{ ...MONTHS, days: 40 }], before: [kept] },
    ]);
  });

  it('ADM-4 A16 only who answers for the record sees and sets them, after the password', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { expected_version: 0, rules: rulesWith() }],
    ] as const) {
      expect((await ward.ana.client.send(method, rulesPath(), { body })).statusCode).toBe(403);
    }
    await ward.server.db.updateTable('sessions').set({ password_confirmed_at: null }).execute();
    const { version } = await get();
    expect((await set(version, { ...MONTHS, days: 31 })).statusCode).toBe(423);
    await ward.server.db.updateTable('sessions').set({ password_confirmed_at: new Date() }).execute();
  });

  it.each([
    ['fewer than 30 days', { ...MONTHS, days: 29 }],
    ['more than 30 years', { ...MONTHS, days: 10_951 }],
    ['no number of days', { ...MONTHS, days: null }],
    ['days of what is kept', { kind: 'group', mode: 'keep', days: 90 } as const],
  ])('ADM-4 %s are refused', async (_what, rule) => {
    expect((await set((await get()).version, rule)).statusCode).toBe(422);
  });

  it('ADM-4 a dry run says how many chats and messages a rule would reach, and changes nothing', async () => {
    await ward.keep();
    const { db } = ward.server;
    await db.updateTable('messages').set({ created_at: new Date() }).execute();
    const [chat, held] = [await ward.open(), await ward.open()];
    for (const [n, one] of [chat, held].entries()) {
      await ward.say(ward.ana, one, { body: `a ${n}` });
      await ward.age(one, 91);
      await ward.say(ward.ana, one, { body: 'young' });
    }
    const hold = {
      client_id: newId(),
      subject: { kind: 'chat', chat_id: held.id },
      reason: 'Claim of the family, 2026.',
    };
    await ward.rhea.client.send('POST', `/api/facilities/${ward.facility.id}/legal-holds`, { body: hold });
    const preview = async (rule: AskedRule) => {
      const body = { rules: rulesWith(rule) };
      const answer = await ward.rhea.client.send('POST', `${rulesPath()}/preview`, { body });
      return answer.json();
    };
    const none = { kind: 'group', chats: 0, messages: 0, held_chats: 0, unexported_chats: 0 };
    const [reached, kept] = [await preview(MONTHS), await preview({ kind: 'group', mode: 'keep', days: null })];
    expect(reached.kinds).toContainEqual({ ...none, chats: 1, messages: 2, held_chats: 1 });
    expect(kept.kinds).toContainEqual(none);
    // What waits for its export is old enough all the same.
    const { kinds } = await preview({ ...MONTHS, mode: 'delete_exported' });
    expect(kinds).toContainEqual({ ...none, held_chats: 1, unexported_chats: 1 });
    // What people on hold wrote is among the messages, and stays: who looks is told how many they are.
    expect(reached.held_people).toBe(0);
    const person = { client_id: newId(), subject: { kind: 'person', user_id: ward.ana.id }, reason: hold.reason };
    await ward.rhea.client.send('POST', `/api/facilities/${ward.facility.id}/legal-holds`, { body: person });
    expect((await preview(MONTHS)).held_people).toBe(1);
    expect(bodies(await ward.read(chat))).toEqual(['created the chat', 'a 0', 'young']);
  });
});
