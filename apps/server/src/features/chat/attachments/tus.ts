import { Voice } from '@wardline/contract/chat/attachments.ts';
import { TUS_VERSION } from '@wardline/contract/chat/uploads.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { HttpExchange } from '#/platform/http/context.ts';

// What tus 1.0 says in headers (https://tus.io/protocols/resumable-upload): core, creation, termination.

/** Refuses another version of the protocol, and none (412). */
export function requireTus(http: HttpExchange, headers: { readonly 'tus-resumable'?: string | undefined }): void {
  http.noteHeaders({ 'tus-resumable': TUS_VERSION });
  if (headers['tus-resumable'] === TUS_VERSION) return;
  http.noteHeaders({ 'tus-version': TUS_VERSION });
  throw new AppError('precondition_failed', { message: `Send Tus-Resumable: ${TUS_VERSION}.` });
}

/** Says how far an upload is. */
export function noteProgress(http: HttpExchange, upload: { readonly received: number; readonly bytes: number }): void {
  http.noteHeaders({
    'tus-resumable': TUS_VERSION,
    'upload-offset': String(upload.received),
    'upload-length': String(upload.bytes),
  });
}

const LONGEST_NAME = 200;
/** What cannot be seen or turns the direction of what follows: a name must not look like another one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** The name of the file in Upload-Metadata: `filename` and its value in Base64. Without one it is called `file`. */
export function readFileName(metadata: string | undefined): string {
  const given = readMetadata(metadata, 'filename') ?? '';
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = last.replaceAll(UNSEEN, '').trim();
  return shortened(name === '' || /^\.+$/.test(name) ? 'file' : name);
}

/** How a voice note sounds, in Upload-Metadata: `voice` and its JSON in Base64. Null for any other file. */
export function readVoice(metadata: string | undefined): Voice | null {
  const given = readMetadata(metadata, 'voice');
  if (given === null) return null;
  try {
    return Voice.parse(JSON.parse(given));
  } catch {
    throw invalidField('upload-metadata', 'This does not say how a voice note sounds.');
  }
}

function readMetadata(metadata: string | undefined, wanted: string): string | null {
  const pairs = (metadata ?? '').split(',').map((part) => part.trim().split(' '));
  const pair = pairs.find(([name]) => name === wanted);
  if (pair === undefined) return null;
  const [, encoded = ''] = pair;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw invalidField('upload-metadata', 'This is not Base64.');
  return Buffer.from(encoded, 'base64').toString('utf8');
}

/** Shortened before its ending, which says how it is opened. */
function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST_NAME) return name;
  const dot = letters.lastIndexOf('.');
  const ending = dot > 0 && letters.length - dot <= 10 ? letters.slice(dot) : [];
  return [...letters.slice(0, LONGEST_NAME - ending.length), ...ending].join('');
}
