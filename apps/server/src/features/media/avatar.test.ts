import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { animation, chunksOf, picture, plainPng, pngOf } from '#/platform/images/testing/pictures.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { type FormPart, multipart } from '#/testing/multipart.ts';
import { auditOf, signedIn, type TestClient } from '#/testing/test-client.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
let user: MadeUser;
let person: TestClient;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await makeUser(server.db);
  person = await signedIn(server, user.id);
});

const upload = (parts: readonly FormPart[], method: 'PUT' | 'POST' = 'PUT') =>
  person.send(method, '/api/user/avatar', multipart(parts));
const fileOf = (value: Buffer, more: Partial<FormPart> = {}): FormPart => ({
  name: 'avatar',
  value,
  filename: 'me.png',
  ...more,
});
const storedFiles = async () =>
  (await readdir(server.filesRoot, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
const stored = async () => person.send('GET', (await person.send('GET', '/api/user')).json().avatar_url);

describe('setting a picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('ACC-5 stores a %s as a WebP square of 512 px', async (format) => {
    const response = await upload([fileOf(await picture({ width: 300, height: 200, format }))]);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      id: user.id,
      avatar_url: expect.stringMatching(/^\/storage\/avatars\/[\w-]{22}$/),
    });
    const shown = await stored();
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
  });

  it('ACC-5 is seen in the identity at once, is audited, and leaves only the newest file', async () => {
    const before = (await storedFiles()).length;
    expect((await person.send('GET', '/api/user')).json().avatar_url).toBeNull();
    const urls: string[] = [];
    for (let turn = 0; turn < 3; turn++) urls.push((await upload([fileOf(plainPng(8, 8))])).json().avatar_url);
    expect(new Set(urls).size).toBe(3);
    expect((await person.send('GET', '/api/user')).json().avatar_url).toBe(urls[2]);
    expect(await storedFiles()).toHaveLength(before + 1);
    for (const old of urls.slice(0, 2)) expect((await person.send('GET', old)).statusCode).toBe(404);
    expect(await auditOf(server, 'avatar.set', user.id)).toMatchObject([
      { object_type: 'user', object_id: user.id },
      {},
      {},
    ]);
  });

  it('ACC-5 can be undone, which removes the file and is audited once', async () => {
    const before = (await storedFiles()).length;
    const { avatar_url: url } = (await upload([fileOf(plainPng(8, 8))])).json();
    for (let turn = 0; turn < 2; turn++) {
      const response = await person.send('DELETE', '/api/user/avatar');
      expect([response.statusCode, response.json().avatar_url]).toEqual([200, null]);
    }
    expect((await person.send('GET', url)).statusCode).toBe(404);
    expect(await storedFiles()).toHaveLength(before);
    expect(await auditOf(server, 'avatar.remove', user.id)).toHaveLength(1);
  });

  it('HTTP-2 also comes by POST that stands for PUT, before or after the file', async () => {
    const method: FormPart = { name: '_method', value: 'PUT' };
    const file = fileOf(plainPng(8, 8));
    expect((await upload([method, file], 'POST')).statusCode).toBe(200);
    expect((await upload([file, method], 'POST')).statusCode).toBe(200);
    expect((await upload([file, method])).statusCode).toBe(200);
    expect((await upload([file], 'POST')).statusCode).toBe(405);
    expect((await upload([file, { name: '_method', value: 'DELETE' }], 'POST')).statusCode).toBe(405);
  });

  it('A24 is limited to 60 an hour for one person', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 61; turn++) statuses.push((await upload([fileOf(Buffer.from('x'))])).statusCode);
    expect(statuses.indexOf(429)).toBe(60);
  });
});

describe('what is no picture', () => {
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7\n1 0 obj<</JS(app.alert(1))>>'],
    ['a GIF that is JavaScript', 'GIF89a=1;alert(1)//'],
    ['a BMP', `BM${'\0'.repeat(60)}`],
    ['a TIFF', `II*\0${'\0'.repeat(60)}`],
    ['an ICO', `\0\0\u0001\0${'\0'.repeat(60)}`],
    ['an archive', 'PK\u0003\u0004'],
    ['a script for PostScript', '%!PS-Adobe-3.0\n'],
    ['a film', '\0\0\0\u0018ftypavif'],
    ['text', 'hello'],
  ])('A20 %s is refused at the field, whatever it calls itself', async (_what, text) => {
    const before = await storedFiles();
    for (const type of ['image/png', 'image/svg+xml', 'text/html']) {
      const response = await upload([fileOf(Buffer.from(text, 'latin1'), { type, filename: 'me.png' })]);
      expect(response.statusCode).toBe(422);
      expect(response.json().errors).toEqual({ avatar: ['Choose a JPEG, PNG or WebP picture.'] });
    }
    expect(await storedFiles()).toEqual(before);
  });

  it.each([
    ['a PNG of 14,000 by 14,000', async () => plainPng(14_000, 14_000), 'This picture has too many pixels.'],
    ['a PNG of 1 by 65,000', async () => plainPng(1, 65_000), 'This picture has too many pixels.'],
    ['a moving GIF', () => animation('gif', 50), 'Choose a JPEG, PNG or WebP picture.'],
    ['a moving WebP', () => animation('webp', 50), 'Choose a picture that is not animated.'],
    [
      'half a PNG',
      async () => (await picture({ width: 500, height: 500 })).subarray(0, 300),
      'This picture cannot be read.',
    ],
    [
      'the head of a JPEG',
      async () => (await picture({ width: 50, height: 50, format: 'jpeg' })).subarray(0, 200),
      'This picture cannot be read.',
    ],
    [
      'a PNG without pixels',
      async () => pngOf(chunksOf(plainPng(8, 8)).filter(([name]) => name !== 'IDAT')),
      'This picture cannot be read.',
    ],
  ])('A22 %s is refused at the field', async (_what, make, text) => {
    const response = await upload([fileOf(await make())]);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({ message: text, code: 'unprocessable', errors: { avatar: [text] } });
  });

  it('A20 A22 nothing that came with a picture but its pixels is stored', async () => {
    const marker = '<script>marker</script>';
    const png = plainPng(64, 64);
    const [head = ['IHDR', Buffer.alloc(0)], ...rest] = chunksOf(png);
    const jpeg = await picture({ width: 64, height: 64, format: 'jpeg' });
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, marker.length + 2]), Buffer.from(marker)]);
    const corpus: readonly Buffer[] = [
      await picture({ width: 64, height: 64, format: 'jpeg', description: marker }),
      await picture({ width: 64, height: 64, format: 'webp', description: marker }),
      await picture({ width: 64, height: 64, format: 'png', description: marker }),
      pngOf([head, ['tEXt', Buffer.from(`Comment\0${marker}`)], ...rest]),
      pngOf([head, ['svGx', Buffer.from(marker)], ...rest]),
      Buffer.concat([png, Buffer.from(`${marker}%PDF-1.7`)]),
      Buffer.concat([jpeg, Buffer.from(`PK\u0003\u0004${marker}`)]),
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
    ];
    for (const [index, bytes] of corpus.entries()) {
      expect(bytes.includes('marker'), String(index)).toBe(true);
      expect((await upload([fileOf(bytes)])).statusCode, String(index)).toBe(200);
      const { rawPayload } = await stored();
      for (const trace of ['marker', 'script', '%PDF', 'PK\u0003\u0004', 'Exif', 'EXIF', 'XMP ']) {
        expect(rawPayload.includes(trace), `${index} ${trace}`).toBe(false);
      }
    }
  });
});

describe('what is no upload', () => {
  it('A24 more than 5 MB is refused at the field', async () => {
    const large = Buffer.concat([plainPng(8, 8), Buffer.alloc(5 * 1024 * 1024)]);
    const response = await upload([fileOf(large)]);
    expect(response.statusCode).toBe(422);
    expect(response.json().errors).toEqual({ avatar: ['At most 5 MB.'] });
  });

  it.each([
    ['no file', [], { avatar: ['This field is required.'] }],
    ['an empty file', [fileOf(Buffer.alloc(0))], { avatar: ['This field is required.'] }],
    ['two files', [fileOf(plainPng(8, 8)), fileOf(plainPng(8, 8))], { avatar: ['Send one file.'] }],
    [
      'a file of another name',
      [fileOf(plainPng(8, 8), { name: 'picture' })],
      { picture: ['This field is not known.'] },
    ],
    ['a text in its place', [{ name: 'avatar', value: 'x' }], { avatar: ['This field is not known.'] }],
    [
      'a field beside it',
      [fileOf(plainPng(8, 8)), { name: 'user_id', value: 'x' }],
      { user_id: ['This field is not known.'] },
    ],
  ] as const)('A29 %s is refused with 422', async (_what, parts, errors) => {
    const response = await upload(parts);
    expect(response.statusCode).toBe(422);
    expect(response.json().errors).toEqual(errors);
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['another boundary', 'multipart/form-data; boundary=other', 'x'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="avatar"; filename="a"\r\n\r\nxx',
    ],
    ['a broken head', 'multipart/form-data; boundary=b', '--b\r\n\0\0\r\n\r\n--b--'],
    [
      'a name of every object',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    ],
    [
      'a thousand fields',
      'multipart/form-data; boundary=b',
      `${'--b\r\ncontent-disposition: form-data; name="_method"\r\n\r\nPUT\r\n'.repeat(1000)}--b--\r\n`,
    ],
  ])('A41 a body with %s is refused, and never an error of the server', async (_what, type, body) => {
    const response = await person.send('PUT', '/api/user/avatar', { body, headers: { 'content-type': type } });
    expect([400, 422]).toContain(response.statusCode);
  });

  it('A20 another type of body is refused with 415', async () => {
    const response = await person.send('PUT', '/api/user/avatar', { body: { avatar: 'x' } });
    expect(response.statusCode).toBe(415);
    expect(response.json().message).toBe('Send multipart/form-data.');
  });
});
