import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { runRecordsCommand } from '#/app/commands/records-command.ts';
import { attachmentFile } from '#/features/chat/attachments/attachment-store.ts';
import { pdf, upload } from '#/features/chat/attachments/testing/send-files.ts';
import { openRecordsFixture, type RecordsFixture } from '#/features/chat/records/testing/records-fixture.ts';
import { unpackArchive } from '#/platform/files/unpack-archive.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { newId } from '#/platform/new-id.ts';
import { readPdf } from '#/platform/pdf/testing/read-pdf.ts';
import { makeExamination } from '#/testing/factories/examinations.ts';
import { makeFacility } from '#/testing/factories/facilities.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { TEST_APP_KEY } from '#/testing/test-server.ts';
import { openSocket } from '#/testing/test-socket.ts';
import { createRecordSigner } from './record-signature.ts';
import { verifyRecord } from './verify-record.ts';

const WHY = 'Asked for by the patient, 2026.';
const { publicKey } = createRecordSigner(Buffer.from(TEST_APP_KEY));

let ward: RecordsFixture;
let chat: Chat;
let number: string;
beforeAll(async () => {
  ward = await openRecordsFixture();
});
afterAll(() => ward.server.close());
beforeEach(async () => {
  await ward.server.db.deleteFrom('legal_holds').execute();
  number = `MRN ${newId()}`;
  chat = await openCase();
});

const openCase = (): Promise<Chat> => {
  const patient = { name: 'Édith Mâron', identifier: number, born_on: '1948-03-14', bed: null };
  return ward.open({ kind: 'case', patient, title: undefined });
};
const take = (who: SignedInMember, of = chat, reason = WHY) =>
  who.client.send('POST', `/api/chats/${of.id}/record`, { body: { reason } });
async function taken(of = chat) {
  const answer = await take(ward.rhea, of);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers['content-disposition']).toMatch(`record-${of.id}-`);
  return read(answer.rawPayload);
}
function read(archive: Buffer) {
  const files = unpackArchive(archive, 1e8);
  if (!files) throw new Error('no archive');
  const text = (name: string) => files.get(name)?.toString() ?? '';
  const record = JSON.parse(text('record.json'));
  return { archive, files, record, html: text('record.html'), manifest: JSON.parse(text('manifest.json')) };
}
const messagesOf = (record: {
  chats: {
    id: string;
    messages: (Message & { earlier: { body: string }[]; files: { path: string; name: string }[] })[];
  }[];
}) => record.chats.flatMap(({ messages }) => messages);

describe('what is in it', () => {
  it('ADM-4 has each message with its author and times, what it said before, reactions, files and who has read it', async () => {
    const { ana, leila } = ward;
    const bytes = pdf('the letter');
    const file = await upload(ana.client, chat.id, { bytes, name: 'Brief für Mâron.pdf' });
    const message = await ward.say(ana, chat, { body: 'K 6,8 <script>', attachments: [file] });
    const url = `/api/chats/${chat.id}/messages/${message.id}`;
    await ana.client.send('PATCH', url, { body: { expected_version: 1, body: 'K 6,9 & <b>déjà</b>' } });
    await leila.client.send('PUT', `${url}/reactions/seen`, { body: { is_set: true } });
    await leila.client.send('PUT', `/api/chats/${chat.id}/markers`, { body: { delivered_seq: 2, read_seq: 2 } });
    const { record, html, files, manifest } = await taken();
    expect(record).toMatchObject({ format: 'wardline-record', exported: { by: { name: 'Rhea Cole' }, reason: WHY } });
    const said = messagesOf(record).find(({ id }) => id === message.id);
    expect(said).toMatchObject({
      ...{ seq: 2, body: 'K 6,9 & <b>déjà</b>', created_at: message.created_at, edited_at: expect.any(String) },
      sender: { id: ana.id, name: 'Ana Reyes' },
      reactions: [{ code: 'seen', name: 'Leila Haddad' }],
      earlier: [{ version: 1, body: 'K 6,8 <script>' }],
      files: [{ name: 'Brief für Mâron.pdf', path: `files/${file}.pdf` }],
    });
    expect(files.get(`files/${file}.pdf`)).toEqual(bytes);
    expect(record.chats[0].people).toContainEqual(expect.objectContaining({ name: 'Leila Haddad', access: 'write' }));
    expect(record.chats[0].patient).toEqual({ name: 'Édith Mâron', identifier: number, born_on: '1948-03-14' });
    expect(html).toContain('K 6,9 &amp; &lt;b&gt;déjà&lt;/b&gt;');
    expect(html).toContain('K 6,8 &lt;script&gt;');
    expect(html).not.toContain('<script');
    expect(html).toContain("default-src 'none'");
    expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([
      'record.json',
      'record.html',
      'record.pdf',
      `files/${file}.pdf`,
    ]);
  });

  it('ADM-4 has the signed reports byte for byte, and none that is not signed', async () => {
    const { server, ana, facility } = ward;
    const of = { chatId: chat.id, facilityId: facility.id, userId: ana.id, values: { potassium: '6.80' } };
    const signed = await makeExamination(server.db, { ...of, state: 'reported' });
    await makeExamination(server.db, { ...of, state: 'draft' });
    const stored = await server.db
      .selectFrom('examination_reports')
      .select('content')
      .where('examination_id', '=', signed)
      .executeTakeFirstOrThrow();
    const { record } = await taken();
    expect(record.chats[0].reports).toEqual([
      { examination_id: signed, version: 1, content: stored.content, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('ADM-4 A19 what was deleted is there without its text and files, but for what a legal hold keeps', async () => {
    const { ana } = ward;
    const file = await upload(ana.client, chat.id, { bytes: pdf('x'), name: 'x.pdf' });
    const message = await ward.say(ana, chat, { body: 'the wrong dose', attachments: [file] });
    const remove = { body: { reason: 'A mistake' } };
    await ward.rhea.client.send('POST', `/api/facilities/${ward.facility.id}/legal-holds`, {
      body: { client_id: newId(), subject: { kind: 'patient', identifier: number }, reason: WHY },
    });
    expect(
      (await ana.client.send('PUT', `/api/chats/${chat.id}/messages/${message.id}/deletion`, remove)).statusCode,
    ).toBe(200);
    await ward.server.runJobs();
    const held = await taken();
    const ofMessage = (record: Parameters<typeof messagesOf>[0]) =>
      messagesOf(record).find(({ id }) => id === message.id);
    expect(ofMessage(held.record)).toMatchObject({
      body: '',
      deleted: { reason: 'A mistake' },
      earlier: [{ body: 'the wrong dose' }],
      files: [{ name: 'x.pdf' }],
    });
    expect(held.files.has(`files/${file}.pdf`)).toBe(true);
    await ward.server.db.deleteFrom('legal_holds').execute();
    const free = await taken();
    expect(ofMessage(free.record)).toMatchObject({
      body: '',
      deleted: { reason: 'A mistake' },
      earlier: [],
      files: [],
    });
    expect(free.files.has(`files/${file}.pdf`)).toBe(false);
    expect(free.html).not.toContain('the wrong dose');
  });

  it('ADM-4 the PDF has every message and version in their order, in every script, and no text that was deleted', async () => {
    const { ana } = ward;
    const bodies = [
      'K 6,9 → ≥ 6,5 µg ✓ Łódź ế',
      'Ελληνικά, Русский, м\u0301',
      'مرحبا',
      'שלום',
      '👩‍⚕️👍🏽',
      '谢谢',
      ...Array.from({ length: 210 }, (_, index) => `Observation ${index + 1}.`),
    ];
    const said: Message[] = [];
    for (const body of bodies) said.push(await ward.say(ana, chat, { body }));
    const [first, second] = said;
    const url = `/api/chats/${chat.id}/messages`;
    for (const [version, body] of ['K 7,0', 'K 7,1'].entries()) {
      await ana.client.send('PATCH', `${url}/${first?.id}`, { body: { expected_version: version + 1, body } });
    }
    await ana.client.send('PUT', `${url}/${second?.id}/deletion`, { body: { reason: 'A mistake' } });
    const { files, manifest } = await taken();
    const bytes = files.get('record.pdf') ?? Buffer.alloc(0);
    const listed = manifest.files.find(({ name }: { name: string }) => name === 'record.pdf');
    expect(listed).toEqual({
      ...{ name: 'record.pdf', bytes: bytes.length },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { pages, title } = await readPdf(bytes);
    const text = pages.join('\n').replaceAll(/\s+/g, ' ');
    expect(title).toContain('Édith Mâron');
    expect(text).toContain(WHY);
    const wanted = ['2 Ana Reyes', 'K 7,1', 'K 6,9 → ≥ 6,5 µg ✓ Łódź ế', 'K 7,0', '3 Ana Reyes', 'A mistake'];
    wanted.push('مرحبا', 'שלום', '👩‍⚕️👍🏽', '[U+8C22 U+8C22]', ...bodies.slice(6));
    const places: number[] = [];
    for (const part of wanted) places.push(text.indexOf(part, places.at(-1)));
    expect(wanted.filter((_, index) => places[index] === -1)).toEqual([]);
    expect(text).not.toContain('Ελληνικά');
  }, 60_000);

  it('ADM-4 the PDF shows the pictures of messages under them, and goes on without one that is gone', async () => {
    const { ana, server } = ward;
    const png = await picture({ width: 64, height: 48 });
    const keys: string[] = [];
    for (const count of [8, 8, 8]) {
      const attachments: string[] = [];
      for (let index = 0; index < count; index++) {
        attachments.push(await upload(ana.client, chat.id, { bytes: png, name: `Wunde ${keys.length}.png` }));
        keys.push(attachments.at(-1) ?? '');
      }
      await ward.say(ana, chat, { body: `Wounds up to ${keys.length}`, attachments });
    }
    const gone = await server.db
      .selectFrom('attachments')
      .select('key')
      .where('id', '=', keys[3] ?? '')
      .executeTakeFirstOrThrow();
    await rm(path.join(server.filesRoot, attachmentFile(gone.key, 'small')));
    const { files } = await taken();
    const { pictures, roles, pages } = await readPdf(files.get('record.pdf') ?? Buffer.alloc(0));
    expect(pictures).toBe(23);
    expect(roles.filter((role) => role === 'Figure')).toHaveLength(23);
    const text = pages.join('\n').replaceAll(/\s+/g, ' ');
    expect(text.match(/Wounds up to \d+/g)).toEqual(['Wounds up to 8', 'Wounds up to 16', 'Wounds up to 24']);
    expect(text).toContain('exported this chat to the record');
  }, 60_000);

  it('ADM-4 of a patient has every chat with both identifiers, and no other', async () => {
    const second = await openCase();
    await ward.open({
      kind: 'case',
      patient: { name: 'Other', identifier: `${number}0`, born_on: null, bed: null },
      title: undefined,
    });
    const url = `/api/facilities/${ward.facility.id}/patient-record`;
    const ask = (identifier: string, born_on: string | null) =>
      ward.rhea.client.send('POST', url, { body: { identifier, born_on, reason: WHY } });
    const { record } = read((await ask(number.toLowerCase(), '1948-03-14')).rawPayload);
    expect(record.chats.map(({ id }: Chat) => id)).toEqual([chat.id, second.id]);
    expect((await ask(number, '1948-03-15')).statusCode).toBe(404);
    expect((await ask(number, null)).statusCode).toBe(404);
  });

  it('ADM-4 R23 a file that is not in the store any more does not keep the rest from being exported', async () => {
    const file = await upload(ward.ana.client, chat.id, { bytes: pdf('x'), name: 'x.pdf' });
    await ward.say(ward.ana, chat, { body: 'see', attachments: [file] });
    await rm(ward.server.filesRoot, { recursive: true, force: true });
    const { manifest, archive } = await taken();
    expect(manifest.missing).toEqual([`files/${file}.pdf`]);
    expect(verifyRecord(archive).findings).toEqual([]);
  });

  it('ADM-4 R22 a file that the disk has changed is in the record, and the record says that it is not as it was stored', async () => {
    const file = await upload(ward.ana.client, chat.id, { bytes: pdf('as it was'), name: 'x.pdf' });
    await ward.say(ward.ana, chat, { body: 'see', attachments: [file] });
    expect((await taken()).manifest.changed).toEqual([]);
    const { key } = await ward.server.db
      .selectFrom('attachments')
      .select('key')
      .where('id', '=', file)
      .executeTakeFirstOrThrow();
    await writeFile(path.join(ward.server.filesRoot, attachmentFile(key, 'file')), pdf('as it is!'));
    const { manifest, archive } = await taken();
    expect(manifest.changed).toEqual([`files/${file}.pdf`]);
    expect(verifyRecord(archive).findings).toEqual([{ what: 'damaged', name: `files/${file}.pdf` }]);
  });
});

describe('what is too much for one archive', () => {
  const addFiles = (count: number, bytes: number) => sql`
    insert into attachments (id, chat_id, facility_id, uploader_id, message_id, state, key, name, upload_bytes, bytes)
    select gen_random_uuid(), m.chat_id, m.facility_id, m.sender_id, m.id, 'removing', ${'A'.repeat(22)}, 'x', 1, ${bytes}
    from messages m, generate_series(1, ${count}) where m.chat_id = ${chat.id}`;
  const addChats = (count: number) => sql`
    insert into chats (id, facility_id, kind, title, patient_name, patient_identifier, created_by, client_id)
    select gen_random_uuid(), facility_id, kind, title, patient_name, patient_identifier, created_by, gen_random_uuid()
    from chats, generate_series(1, ${count}) where id = ${chat.id}`;
  const setHead = (seq: number) => sql`update chats set head_seq = ${seq} where id = ${chat.id}`;

  it.each([
    ['201 chats', () => addChats(200)],
    ['500 001 messages', () => setHead(500_001)],
    ['20 001 files', () => addFiles(20_001, 1)],
    ['files of more than 1.5 GB', () => addFiles(1, 1_500_000_001)],
  ])('ADM-4 %s are refused before anybody is told', async (_, add) => {
    await add().execute(ward.server.db);
    const body = { identifier: number, born_on: null, reason: WHY };
    await ward.server.db.updateTable('chats').set({ patient_born_on: null }).where('id', '=', chat.id).execute();
    const url = `/api/facilities/${ward.facility.id}/patient-record`;
    const refused = await ward.rhea.client.send('POST', url, { body });
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'This is too much for one archive. Export chat by chat.',
    ]);
    expect((await ward.read(chat)).map(({ body: said }) => said)).toEqual(['created the chat']);
  });
});

describe('who takes it', () => {
  it('ADM-4 CHAT-6 A16 only who answers for the record, in or out of the chat, with a reason and the password', async () => {
    const other = await makeFacility(ward.server.db);
    const stranger = await signedInMember(ward.server, {
      facility: other,
      name: 'Emil Novak',
      roles: ['facilityAdministrator'],
    });
    expect((await take(ward.ana)).statusCode).toBe(404);
    expect((await take(stranger)).statusCode).toBe(404);
    expect((await take(ward.rhea, chat, 'short')).statusCode).toBe(422);
    const url = `/api/facilities/${ward.facility.id}/patient-record`;
    const body = { identifier: number, born_on: '1948-03-14', reason: WHY };
    expect((await ward.ana.client.send('POST', url, { body })).statusCode).toBe(403);
    expect((await stranger.client.send('POST', url, { body })).statusCode).toBe(404);
    await ward.server.db.updateTable('sessions').set({ password_confirmed_at: null }).execute();
    expect((await take(ward.rhea)).statusCode).toBe(423);
    await ward.server.db.updateTable('sessions').set({ password_confirmed_at: new Date() }).execute();
    expect((await ward.read(chat)).map(({ body: said }) => said)).toEqual(['created the chat']);
  });

  it('ADM-4 of a patient there is no more in one archive than is said, over all of their chats', async () => {
    const { db } = ward.server;
    // One archive has half a million messages at most.
    const half = 250_001;
    const second = await openCase();
    const roles = ['facilityAdministrator'] as const;
    const ines = await signedInMember(ward.server, { facility: ward.facility, name: 'Ines Duarte', roles });
    const longer = (n: number) =>
      db.updateTable('chats').set({ head_seq: n }).where('id', 'in', [chat.id, second.id]).execute();
    const url = `/api/facilities/${ward.facility.id}/patient-record`;
    const body = { identifier: number, born_on: '1948-03-14', reason: WHY };
    await longer(half);
    const refused = await ines.client.send('POST', url, { body });
    expect([refused.statusCode, refused.json().message]).toEqual([
      ...[409, 'This is too much for one archive. Export chat by chat.'],
    ]);
    await longer(1);
    expect((await ines.client.send('POST', url, { body })).statusCode).toBe(200);
  });

  it('ADM-4 everybody in the chat reads who took it and why, at once', async () => {
    const socket = await openSocket(ward.server);
    await socket.join(ward.ana.client, `presence-chat.${chat.id}`);
    await socket.join(ward.ana.client, `private-App.Models.User.${ward.ana.id}`);
    await taken();
    const heard = await socket.next(({ event }) => event === 'App\\Events\\MessageSent');
    expect(heard.data).toMatchObject({ message: { body: `exported this chat to the record: ${WHY}` } });
    await socket.next(({ event }) => event === 'App\\Events\\ChatChanged');
    socket.close();
    const line = (await ward.read(chat)).at(-1);
    expect(line).toMatchObject({
      kind: 'system',
      body: `exported this chat to the record: ${WHY}`,
      sender: { name: 'Rhea Cole' },
    });
  });

  it('ADM-3 A46 the audit has it before the first byte, and at its end what was in it; then the chat counts as exported', async () => {
    const { archive, manifest } = await taken();
    const entries = await ward.server.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'detail'])
      .where('object_id', '=', chat.id)
      .where('action', 'like', 'record.%')
      .orderBy('id')
      .execute();
    const bytes = unpackArchive(archive, 1e8)?.get('manifest.json') ?? Buffer.alloc(0);
    expect(entries).toEqual([
      { action: 'record.export', actor_id: ward.rhea.id, detail: null },
      {
        action: 'record.export_end',
        actor_id: ward.rhea.id,
        detail: {
          manifest_sha256: createHash('sha256').update(bytes).digest('hex'),
          messages: 2,
          archive_files: 0,
          archive_bytes: expect.any(Number),
        },
      },
    ]);
    expect(manifest.chats).toEqual([{ id: chat.id, messages: 2 }]);
    const { exported } = (await ward.rhea.client.send('GET', `/api/chats/${chat.id}/record`)).json();
    expect(exported).toEqual({ at: expect.any(String), seq: 2 });
    const found = await ward.server.db
      .selectFrom('chats')
      .select(['exported_seq', 'head_change_seq', 'exported_change_seq'])
      .where('id', '=', chat.id)
      .executeTakeFirstOrThrow();
    expect(found.exported_change_seq).toBe(found.head_change_seq);
  });
});

describe('npm run records -- verify', () => {
  const rezip = async (files: ReadonlyMap<string, Buffer>): Promise<Buffer> => {
    const zip = new ZipFile();
    for (const [name, bytes] of files) zip.addBuffer(bytes, name);
    zip.end();
    const parts: Buffer[] = [];
    for await (const part of zip.outputStream) parts.push(part as Buffer);
    return Buffer.concat(parts);
  };
  let whole: Awaited<ReturnType<typeof taken>> | null = null;
  const found = async (change: (files: Map<string, Buffer>) => void, key: string | null = null) => {
    whole ??= await taken();
    const changed = new Map(whole.files);
    change(changed);
    return verifyRecord(await rezip(changed), key).findings;
  };

  it('A46 ADM-4 an archive as it was made is whole, also once it was packed anew', async () => {
    const { archive, files } = await taken();
    expect(verifyRecord(archive, publicKey)).toMatchObject({
      publicKey,
      files: 3,
      findings: [],
      from: { facility: 'St. Brigid General', by: 'Rhea Cole' },
    });
    expect(verifyRecord(await rezip(files)).findings).toEqual([]);
  });

  it('A46 names what was changed, removed and put in', async () => {
    expect(await found((files) => files.set('record.json', Buffer.from('{}')))).toEqual([
      { what: 'changed', name: 'record.json' },
    ]);
    const flip = (files: Map<string, Buffer>) => {
      const bytes = Buffer.from(files.get('record.pdf') ?? '');
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      files.set('record.pdf', bytes);
    };
    expect(await found(flip)).toEqual([{ what: 'changed', name: 'record.pdf' }]);
    expect(await found((files) => files.delete('record.pdf'))).toEqual([{ what: 'removed', name: 'record.pdf' }]);
    expect(await found((files) => files.delete('record.html'))).toEqual([{ what: 'removed', name: 'record.html' }]);
    expect(await found((files) => files.set('files/more.pdf', pdf('x')))).toEqual([
      { what: 'added', name: 'files/more.pdf' },
    ]);
  });

  it('A46 a manifest that was mended to fit has no signature any more; one signed by somebody else is not ours', async () => {
    const mend = (files: Map<string, Buffer>) => {
      const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
      files.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, chats: [] })));
    };
    expect(await found(mend)).toEqual([{ what: 'signature', name: 'manifest.sig' }]);
    const forge = (files: Map<string, Buffer>) => {
      const forger = createRecordSigner(Buffer.from('somebody else'));
      const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
      const bytes = Buffer.from(
        JSON.stringify({ ...manifest, signature: { ...manifest.signature, public_key: forger.publicKey } }),
      );
      files.set('manifest.json', bytes);
      files.set('manifest.sig', Buffer.from(forger.sign(bytes).toString('base64')));
    };
    expect(await found(forge)).toEqual([]);
    expect((await found(forge, publicKey)).map(({ what }) => what)).toEqual(['signature', 'key']);
    expect(await found((files) => files.delete('manifest.sig'))).toEqual([{ what: 'signature', name: 'manifest.sig' }]);
    expect(verifyRecord(Buffer.from('nothing')).findings).toEqual([{ what: 'no archive', name: 'manifest.json' }]);
  });

  it('ADM-4 the command prints what it found and ends with 1 where something is wrong', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'record-'));
    const said: string[] = [];
    const printing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    try {
      const { archive, files } = await taken();
      const [whole, changed] = [path.join(folder, 'a.zip'), path.join(folder, 'b.zip')];
      await writeFile(whole, archive);
      await writeFile(changed, await rezip(new Map([...files, ['record.json', Buffer.from('{}')]])));
      expect(await runRecordsCommand(['verify', whole, '--key', publicKey])).toBe(0);
      expect(await runRecordsCommand(['verify', changed])).toBe(1);
    } finally {
      printing.mockRestore();
      await rm(folder, { recursive: true });
    }
    expect(said.join('')).toContain(`Public key ${publicKey}`);
    expect(said.join('')).toContain('The record is whole.');
    expect(said.join('')).toContain('record.json: was changed.\nThe record is NOT whole.');
    await expect(runRecordsCommand(['verify'])).rejects.toThrow('npm run records');
  });
});
