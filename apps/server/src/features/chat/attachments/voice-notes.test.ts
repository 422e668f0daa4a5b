import { randomUUID } from 'node:crypto';
import type { Voice } from '@wardline/contract/chat/attachments.ts';
import type { Message } from '@wardline/contract/chat/chat.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, makeWorld, type World } from '#/testing/samples/contract-world.ts';
import type { TestClient } from '#/testing/test-client.ts';
import { readFileKind } from './file-kind.ts';
import { append, pdf, TUS } from './testing/send-files.ts';

let world: World;
let person: TestClient;
beforeAll(async () => {
  world = await makeWorld();
  person = await clientOf(world, 'with the right');
});
afterAll(() => world.server.close());

/** As far as it is looked at: the head of EBML, its kind of document, and the names of its codecs. */
const webm = (...codecs: readonly string[]) =>
  Buffer.from(`\u001a\u0045\u00df\u00a3 webm ${codecs.join(' ')}${'.'.repeat(300)}`, 'latin1');
const mp4 = (...boxes: readonly string[]) => Buffer.from(`\0\0\0\u0018ftypiso5${boxes.join('....')}`, 'latin1');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const voice: Voice = { duration_ms: 4_200, peaks: [0, 10, 100, 4, 5, 6, 7, 8] };

const begin = (bytes: Buffer, said: string, name = 'Voice note.weba') =>
  person.send('POST', `/api/chats/${world.ours.chatId}/uploads`, {
    headers: {
      ...TUS,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64(name)},voice ${said}`,
    },
  });

async function send(bytes: Buffer, said: Voice, name?: string): Promise<Message> {
  const begun = await begin(bytes, base64(JSON.stringify(said)), name);
  expect(begun.statusCode, begun.payload).toBe(201);
  await append(person, begun.json().id, bytes, 0);
  const answer = await person.send('POST', `/api/chats/${world.ours.chatId}/messages`, {
    body: { client_id: randomUUID(), body: '', attachments: [begun.json().id] },
  });
  expect(answer.statusCode, answer.payload).toBe(201);
  return answer.json();
}

describe('a voice note', () => {
  it('CHAT-14 goes with its message to everybody who reads it, and is forwarded with its shape', async () => {
    const sent = await send(webm('A_OPUS'), voice);
    expect(sent.attachments?.[0]).toMatchObject({ kind: 'audio', mime: 'audio/webm', name: 'Voice note.weba', voice });
    const reader = await clientOf(world, 'reader of the chat');
    const page = await reader.send('GET', `/api/chats/${world.ours.chatId}/messages?after=${sent.seq - 1}`);
    expect(page.json().data[0].attachments[0].voice).toEqual(voice);
    const part = await reader.send('GET', `/storage/attachments/${sent.attachments?.[0]?.id}/file`, {
      headers: { range: 'bytes=4-9' },
    });
    expect([part.statusCode, part.headers['content-type']]).toEqual([206, 'audio/webm']);
  });

  it('CHAT-14 may be without the shape, and what is no sound has none', async () => {
    const without: Voice = { duration_ms: 900, peaks: null };
    expect((await send(webm('A_OPUS'), without)).attachments?.[0]?.voice).toEqual(without);
    expect((await send(pdf('no sound'), voice, 'Letter.pdf')).attachments?.[0]?.voice).toBeUndefined();
    expect((await send(webm('V_VP9', 'A_OPUS'), voice, 'Film.webm')).attachments?.[0]?.voice).toBeUndefined();
  });

  it.each([
    ['no Base64', '?'],
    ['no JSON', base64('{')],
    ['a list', base64('[]')],
    ['too few peaks', base64(JSON.stringify({ ...voice, peaks: [1] }))],
    ['too many peaks', base64(JSON.stringify({ ...voice, peaks: Array.from({ length: 65 }, () => 1) }))],
    ['a peak that is too high', base64(JSON.stringify({ ...voice, peaks: [0, 0, 0, 0, 0, 0, 0, 101] }))],
    ['a peak that is no whole number', base64(JSON.stringify({ ...voice, peaks: [0, 0, 0, 0, 0, 0, 0, 1.5] }))],
    ['no length', base64(JSON.stringify({ peaks: voice.peaks }))],
    ['a length of nothing', base64(JSON.stringify({ ...voice, duration_ms: 0 }))],
    ['a day', base64(JSON.stringify({ ...voice, duration_ms: 86_400_000 }))],
  ])('CHAT-14 is refused with %s', async (_what, said) => {
    const answer = await begin(webm('A_OPUS'), said);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['upload-metadata']]);
  });

  it('CHAT-14 is sound as browsers record it: WebM and fragmented MP4 without pictures', () => {
    expect(readFileKind(webm('A_OPUS'))?.kind).toBe('audio');
    expect(readFileKind(webm('V_VP8', 'A_OPUS'))?.kind).toBe('video');
    expect(readFileKind(mp4('mvex', 'soun'))).toMatchObject({ kind: 'audio', mime: 'audio/mp4' });
    expect(readFileKind(mp4('mvex', 'soun', 'vide'))?.kind).toBe('video');
    expect(readFileKind(mp4('soun'))?.kind).toBe('video');
  });
});
