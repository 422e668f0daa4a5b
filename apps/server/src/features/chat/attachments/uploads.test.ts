import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { picture } from '#/platform/images/testing/pictures.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { partFile } from './attachment-store.ts';
import { createFinishUpload } from './finish-upload.ts';
import { append, begin, pdf, send, TUS, upload } from './testing/send-files.ts';

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());

const beginHere = (bytes: Buffer, name?: string) => begin(person, world.ours.chatId, { bytes, name });
const row = (id: string) =>
  world.server.db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();

/** Every stored file, by its place. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(world.server.filesRoot, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(world.server.filesRoot, path.join(entry.parentPath, entry.name)));
}
const filesOf = async (id: string) => {
  const key = (await row(id))?.key ?? 'none';
  return (await storedFiles()).filter((name) => name.includes(key)).sort();
};

/** So many bytes of an upload lie on the disk. */
async function arrived(id: string, bytes: number): Promise<void> {
  const sizeOf = async () => {
    const [name = 'none'] = await filesOf(id);
    return (await stat(path.join(world.server.filesRoot, name)).catch(() => null))?.size;
  };
  await expect.poll(sizeOf, { timeout: 10_000 }).toBe(bytes);
}

describe('an upload', () => {
  it('CHAT-14 begins, says how far it is, goes on in parts and is ready at the end', async () => {
    const bytes = pdf('a letter of two parts');
    const begun = await person.send('POST', `/api/chats/${world.ours.chatId}/uploads`, {
      headers: {
        ...TUS,
        'upload-length': String(bytes.length),
        'upload-metadata': `filename ${Buffer.from('Brief Ä.pdf').toString('base64')},filetype YXBw`,
      },
    });
    expect([begun.statusCode, begun.headers['tus-resumable'], begun.headers['upload-offset']]).toEqual([
      201,
      '1.0.0',
      '0',
    ]);
    const address = String(begun.headers.location);
    expect(address).toBe(`/api/uploads/${begun.json().id}`);
    const first = await append(person, begun.json().id, bytes.subarray(0, 7), 0);
    expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '7']);
    const head = await world.server.app.inject({ method: 'HEAD', url: address, headers: cookiesOf(person) });
    expect([head.statusCode, head.payload]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      'upload-offset': '7',
      'upload-length': String(bytes.length),
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store, private',
    });
    const last = await append(person, begun.json().id, bytes.subarray(7), 7);
    expect([last.statusCode, last.headers['upload-offset']]).toEqual([204, String(bytes.length)]);
    expect(await row(begun.json().id)).toMatchObject({
      ...{ state: 'ready', name: 'Brief Ä.pdf', kind: 'pdf', mime: 'application/pdf', bytes: bytes.length },
      ...{ message_id: null, blurhash: null },
    });
    expect((await person.send('GET', address)).json()).toMatchObject({ state: 'ready', offset: bytes.length });
    const audit = await auditOf(world.server, 'chat.attachment.upload', world.ours.entitled.id);
    expect(audit[0]).toMatchObject({ object_id: begun.json().id, detail: { kind: 'pdf', bytes: bytes.length } });
  });

  it('CHAT-14 that is broken off keeps what arrived, and goes on there', async () => {
    const bytes = pdf('x'.repeat(200_000));
    const id = await beginHere(bytes);
    await new Promise<void>((resolve) => {
      const going = request(`${world.server.baseUrl}/api/uploads/${id}`, {
        method: 'PATCH',
        headers: {
          ...cookiesOf(person),
          ...TUS,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': String(bytes.length),
        },
      });
      going.on('error', () => resolve());
      going.write(bytes.subarray(0, 100_000));
      void arrived(id, 100_000).then(() => going.destroy());
    });
    await expect.poll(async () => (await row(id))?.received_bytes).toBe(100_000);
    expect((await append(person, id, bytes.subarray(100_000), 100_000)).statusCode).toBe(204);
    expect(await row(id)).toMatchObject({ state: 'ready', bytes: bytes.length });
  });

  it('CHAT-14 OPS-5 begins again where what came of it is gone, also where a bucket left its pieces; it can be given up then', async () => {
    const bytes = pdf('x'.repeat(5_000));
    const begun = async () => {
      const id = await beginHere(bytes);
      await append(person, id, bytes.subarray(0, 1_000), 0);
      const part = path.join(world.server.filesRoot, partFile((await row(id))?.key ?? ''));
      await rm(part);
      await mkdir(part);
      await writeFile(path.join(part, '000000000000-000000001000.piece'), bytes.subarray(0, 1_000));
      return { id, part };
    };
    const { id } = await begun();
    const answer = await append(person, id, bytes.subarray(1_000), 1_000);
    expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([409, '0']);
    expect((await append(person, id, bytes, 0)).statusCode).toBe(204);
    expect((await row(id))?.state).toBe('ready');

    const left = await begun();
    expect((await person.send('DELETE', `/api/uploads/${left.id}`, { headers: TUS })).statusCode).toBe(204);
    await world.server.runJobs();
    expect(existsSync(left.part)).toBe(false);
  });

  it('CHAT-14 says where it is to who is at another place (409), and is ended by a newer request, not by a stranger', async () => {
    const bytes = pdf('z'.repeat(50_000));
    const id = await beginHere(bytes);
    await append(person, id, bytes.subarray(0, 10), 0);
    for (const offset of [0, 9, 11, bytes.length]) {
      const wrong = await append(person, id, bytes.subarray(10), offset);
      expect([wrong.statusCode, wrong.headers['upload-offset']]).toEqual([409, '10']);
    }
    const slow = slowPatch(id, { from: 10, to: bytes.length, sends: bytes.subarray(10, 20_000) });
    await slow.sent;
    const stranger = await clientOf(world, 'of another facility');
    expect((await append(stranger, id, bytes.subarray(10), 10)).statusCode).toBe(404);
    // What hangs still holds the place that it began at; the newer one ends it and is told where the upload is now.
    const newer = await append(person, id, bytes.subarray(10), 10);
    expect([newer.statusCode, newer.headers['upload-offset']]).toEqual([409, '20000']);
    await slow.closed;
    expect((await append(person, id, bytes.subarray(20_000), 20_000)).statusCode).toBe(204);
    expect(await row(id)).toMatchObject({ state: 'ready' });
  });

  function slowPatch(id: string, { from, to, sends }: { from: number; to: number; sends: Buffer }) {
    const going = request(`${world.server.baseUrl}/api/uploads/${id}`, {
      method: 'PATCH',
      headers: {
        ...{ ...cookiesOf(person), ...TUS, 'upload-offset': String(from), 'content-length': String(to - from) },
        'content-type': 'application/offset+octet-stream',
      },
    });
    const closed = new Promise<void>((resolve) => going.on('error', () => resolve()).on('response', () => resolve()));
    going.write(sends);
    const sent = arrived(id, from + sends.length);
    return { sent, closed };
  }

  it('CHAT-14 speaks tus 1.0.0 and no other version', async () => {
    const bytes = pdf('a');
    const id = await beginHere(bytes);
    const octets = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    for (const version of [{ 'tus-resumable': '0.2.2' }, { 'tus-resumable': null }]) {
      const answers = [
        await person.send('POST', `/api/chats/${world.ours.chatId}/uploads`, {
          headers: { 'upload-length': '9', ...version },
        }),
        await person.send('PATCH', `/api/uploads/${id}`, { body: bytes, headers: { ...octets, ...version } }),
        await person.send('DELETE', `/api/uploads/${id}`, { headers: version }),
      ];
      for (const { statusCode, headers } of answers)
        expect([statusCode, headers['tus-version']]).toEqual([412, '1.0.0']);
    }
    expect(await row(id)).toMatchObject({ state: 'uploading', received_bytes: 0 });
  });

  it('A24 is refused by its length before a byte comes, and where more comes than was said', async () => {
    const chat = world.ours.chatId;
    const announce = (length: string) =>
      person.send('POST', `/api/chats/${chat}/uploads`, { headers: { ...TUS, 'upload-length': length } });
    expect((await announce(String(1024 * 1024 + 1))).statusCode).toBe(413);
    expect((await announce('0')).statusCode).toBe(422);
    for (const odd of ['-1', 'x', '1e9', '', '9'.repeat(16)]) expect((await announce(odd)).statusCode, odd).toBe(422);
    const bytes = pdf('as long as it says');
    const id = await beginHere(bytes);
    await append(person, id, bytes.subarray(0, 5), 0);
    const more = await append(person, id, Buffer.concat([bytes.subarray(5), Buffer.from('!')]), 5);
    expect(more.statusCode).toBe(413);
    expect(await row(id)).toMatchObject({ state: 'uploading', received_bytes: 5 });
    expect((await append(person, id, bytes.subarray(5), 5)).statusCode).toBe(204);
    expect((await append(person, id, Buffer.from('!'), bytes.length)).statusCode).toBe(413);
  });

  it('A24 stops at 500 MB of a person in a day, also of files in chats left since and of what is begun at once', async () => {
    const { chatId, entitled } = world.theirs;
    const left = world.ours;
    const theirs = await signedIn(world.server, entitled.id);
    await sql`
      insert into attachments (id, chat_id, facility_id, uploader_id, key, name, upload_bytes)
      values (gen_random_uuid(), ${left.chatId}, ${left.facility.id}, ${entitled.id}, ${'A'.repeat(22)}, 'big', ${500 * 1024 * 1024 - 5})`.execute(
      world.server.db,
    );
    expect((await send(theirs, chatId, { bytes: 6 })).statusCode).toBe(429);
    // Two that are begun at once, each of which would fit by itself.
    const both = await world.server.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${entitled.id} for no key update`.execute(tx);
      const begun = Promise.all([1, 2].map(() => send(theirs, chatId, { bytes: 5 })));
      await untilBlocked(world.server.db, begun, 2);
      return [begun];
    });
    expect((await both[0])?.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 429]);
  });

  it.each([
    ['is fit', { verdict: 'clean' }, 'not_found'],
    ['would be held back', { verdict: 'infected', signature: 'Eicar' }, 'unprocessable'],
  ] as const)(
    'A24 that is cancelled and taken away while it is made ready, and %s, leaves no file',
    async (_what, found, code) => {
      const { db, filesRoot } = world.server;
      const bytes = await picture({ width: 60, height: 40 });
      const id = await beginHere(bytes);
      await append(person, id, bytes.subarray(0, 5), 0);
      const { key = '', chat_id: chatId = '', facility_id: facilityId = '' } = (await row(id)) ?? {};
      const files = createDiskStore(filesRoot);
      async function* rest() {
        yield bytes.subarray(5);
      }
      await files.append(partFile(key), 5, rest());
      const images = {
        async make(given: Buffer) {
          await person.send('DELETE', `/api/uploads/${id}`, { headers: TUS });
          await world.server.runJobs();
          return given;
        },
        blurhash: async () => 'L00000fQfQfQfQfQfQfQfQfQfQfQ',
        close: () => undefined,
      };
      const log = createLog('silent');
      const allowed = { maxBytes: bytes.length, kinds: ['image'] } as const;
      const finish = createFinishUpload({ files, images, allowed, look: async () => found });
      const upload = {
        id,
        chatId,
        facilityId,
        key,
        name: 'a.png',
        state: 'uploading',
        received: 5,
        bytes: bytes.length,
      } as const;
      const finishing = finish({ db, log, write: createJobWrite({ db, log, jobId: 'finish' }) }, upload);
      await expect(finishing).rejects.toMatchObject({ code });
      expect(await row(id)).toBeUndefined();
      expect((await storedFiles()).filter((name) => name.includes(key))).toEqual([]);
    },
  );

  it('A24 that is cancelled, or not sent in time, leaves neither a row nor a file', async () => {
    const bytes = pdf('never mind');
    const [halfway, whole, late] = [await beginHere(bytes), await beginHere(bytes), await beginHere(bytes)];
    await append(person, halfway, bytes.subarray(0, 5), 0);
    await append(person, whole, bytes, 0);
    await append(person, late, bytes, 0);
    expect([(await filesOf(halfway)).length, (await filesOf(whole)).length]).toEqual([1, 1]);
    const keys = [await row(halfway), await row(whole), await row(late)].map((found) => found?.key ?? '');
    for (const id of [halfway, whole]) {
      expect((await person.send('DELETE', `/api/uploads/${id}`, { headers: TUS })).statusCode).toBe(204);
      expect((await person.send('GET', `/api/uploads/${id}`)).statusCode).toBe(404);
    }
    const past = new Date(Date.now() - 1000);
    const { db } = world.server;
    await db.updateTable('attachments').set({ expires_at: past }).where('id', '=', late).execute();
    await sql`update jobs set run_at = now() - interval '1 s' where payload ->> 'attachment' = ${late}`.execute(db);
    await world.server.runJobs();
    expect([await row(halfway), await row(whole), await row(late)]).toEqual([undefined, undefined, undefined]);
    const left = await storedFiles();
    expect(left.filter((name) => keys.some((key) => name.includes(key)))).toEqual([]);
  });

  it('CHAT-14 a file that is ready and not yet sent outlives the time of an upload', async () => {
    const { db } = world.server;
    const id = await upload(person, world.ours.chatId, { bytes: pdf('wait') });
    await sql`update jobs set run_at = now() - interval '1 s' where payload ->> 'attachment' = ${id}`.execute(db);
    await world.server.runJobs();
    expect(await row(id)).toMatchObject({ state: 'ready' });
    const next = await sql<{ days: number }>`
      select extract(day from run_at - now())::int as days from jobs where payload ->> 'attachment' = ${id}`.execute(
      db,
    );
    expect(next.rows).toEqual([{ days: 6 }]);
  });
});

/** What is taken for DICOM: 128 bytes that begin so, and its mark. */
function dicom(begin: string): Buffer {
  return Buffer.concat([Buffer.from(begin.padEnd(128, '\u0000'), 'latin1'), Buffer.from('DICM'), Buffer.alloc(64)]);
}

describe('a file', () => {
  it('A20 CHAT-14 is a picture made anew: turned as it was held, nothing but pixels, in three sizes', async () => {
    const bytes = await picture({ width: 3000, height: 2000, format: 'jpeg', orientation: 6, description: '<script>' });
    const id = await upload(person, world.ours.chatId, { bytes, name: 'wound.jpg' });
    const stored = await row(id);
    expect(stored).toMatchObject({ kind: 'image', mime: 'image/jpeg', width: 2000, height: 3000, name: 'wound.jpg' });
    expect(stored?.blurhash).toMatch(/^T/);
    expect((await filesOf(id)).map((name) => path.basename(name))).toEqual(['file.bin', 'large.bin', 'small.bin']);
    const sizes = [];
    for (const name of await filesOf(id)) {
      const image = await sharp(path.join(world.server.filesRoot, name)).metadata();
      sizes.push([image.format, image.width, image.height, image.exif]);
    }
    expect(sizes).toEqual([
      ['jpeg', 2000, 3000, undefined],
      ['webp', 1067, 1600, undefined],
      ['webp', 320, 480, undefined],
    ]);
  });

  it('CHAT-14 a small picture stays small, and a PNG is called what it has become', async () => {
    const bytes = await picture({ width: 30, height: 20, format: 'png' });
    const id = await upload(person, world.ours.chatId, { bytes, name: '../../etc/Röntgen.png' });
    expect(await row(id)).toMatchObject({ name: 'Röntgen.webp', mime: 'image/webp', width: 30, height: 20 });
  });

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'scan.pdf'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'scan.png'],
    ['a program', Buffer.from('MZ\u0090\u0000'), 'scan.jpg'],
    ['an archive of anything', Buffer.from('PK\u0003\u0004 evil.exe'), 'report.docx'],
    [
      'a document with macros',
      Buffer.from('PK\u0003\u0004[Content_Types].xml word/document.xml word/vbaProject.bin'),
      'a.docx',
    ],
    ['a DICOM file that is a program too', dicom('MZ\u0090'), 'chest.dcm'],
    ['a DICOM file that is a page too', dicom('<script>'), 'chest.dcm'],
    ['a page that is named as a DICOM file', Buffer.from('<!doctype html>'), 'chest.dcm'],
    ['an animated GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), 'a.gif'],
    ['a broken picture', Buffer.from('ffd8ffc0000b080010001003', 'hex'), 'a.jpg'],
  ])('A20 %s is refused whatever its name says, and goes', async (_what, bytes, name) => {
    const id = await beginHere(bytes, name);
    const answer = await append(person, id, bytes, 0);
    expect(answer.statusCode, answer.payload).toBe(422);
    expect(answer.json().message).toMatch(/can’t be sent|cannot be read/);
    await world.server.runJobs();
    expect(await row(id)).toBeUndefined();
  });

  it('A16 A20 CHAT-14 that is DICOM is known by its preamble, not its name, and given to who reads the chat alone', async () => {
    const { ours, server } = world;
    const bytes = dicom('II*\u0000');
    const id = await upload(person, ours.chatId, { bytes, name: 'chest.exe' });
    expect(await row(id)).toMatchObject({ kind: 'dicom', mime: 'application/dicom', name: 'chest.exe.dcm' });
    const body = { client_id: newId(), body: '', device_time: new Date().toISOString(), attachments: [id] };
    expect((await person.send('POST', `/api/chats/${ours.chatId}/messages`, { body })).statusCode).toBe(201);
    const address = `/storage/attachments/${id}/file`;
    const given = await person.send('GET', address);
    expect([given.statusCode, given.headers['content-type'], given.headers['content-disposition']]).toEqual([
      200,
      'application/dicom',
      'attachment; filename="chest.exe.dcm"; filename*=UTF-8\'\'chest.exe.dcm',
    ]);
    expect(given.rawPayload.equals(bytes)).toBe(true);
    const stranger = await clientOf(world, 'of another facility');
    expect((await stranger.send('GET', address)).statusCode).toBe(404);
    expect((await server.app.inject({ method: 'GET', url: address })).statusCode).toBe(401);
  });

  it('A20 A21 has a name that ends as its kind does and hides nothing', async () => {
    const bytes = pdf('b');
    const names = [];
    for (const name of [
      'scan.exe',
      'a\u202efdp.exe',
      'C:\\temp\\x.PDF',
      '..',
      'n\u0000\n.pdf',
      `${'é'.repeat(300)}.pdf`,
    ]) {
      const id = await upload(person, world.ours.chatId, { bytes, name });
      names.push((await row(id))?.name);
    }
    expect(names).toEqual(['scan.exe.pdf', 'afdp.exe.pdf', 'x.PDF', 'file.pdf', 'n.pdf', `${'é'.repeat(196)}.pdf`]);
  });
});

function cookiesOf({ cookies }: TestClient): Record<string, string> {
  return {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
  };
}
