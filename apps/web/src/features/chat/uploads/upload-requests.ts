import { ApiError, isTemporary } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createUploadFetch, type OnProgress } from '@wardline/client/http/upload.ts';
import type { Voice } from '@wardline/contract/chat/attachments.ts';
import {
  appendUpload,
  cancelUpload,
  createDirectUpload,
  createRoleUpload,
  createUpload,
  getUpload,
  TUS_VERSION,
  UPLOAD_PART,
} from '@wardline/contract/chat/uploads.ts';
import type { DirectPlace } from '#/features/chat/core/file-ref.ts';
import type { UploadFailure } from './upload-reducer.ts';

const TUS = { 'Tus-Resumable': TUS_VERSION };
/** Well under the minute after which servers and proxies end a request. */
const LONGEST_MS = 50_000;

export interface NewUpload {
  readonly chatId: string;
  readonly name: string;
  readonly size: number;
  readonly voice?: Voice | undefined;
  /** To whom, where there may be no chat yet. */
  readonly direct?: DirectPlace | undefined;
}

/** The requests of an upload (tus 1.0), by the one way of this application to speak HTTP. Each rejects with an ApiError. */
export interface UploadRequests {
  begin(file: NewUpload, signal: AbortSignal): Promise<string>;
  ask(uploadId: string, signal: AbortSignal): Promise<{ readonly offset: number; readonly isReady: boolean }>;
  send(uploadId: string, part: UploadPart, signal: AbortSignal): Promise<void>;
  cancel(uploadId: string): Promise<void>;
}

export interface UploadPart {
  readonly from: number;
  readonly bytes: Blob;
  readonly onProgress: OnProgress;
}

type SendBytes = (onProgress: OnProgress) => (url: string, init: RequestInit) => Promise<Response>;

export function createUploadRequests(call: Call, sendBytes: SendBytes = createUploadFetch): UploadRequests {
  return {
    async begin({ chatId, name, size, voice, direct }, signal) {
      const said = voice ? `,voice ${toBase64(JSON.stringify(voice))}` : '';
      const metadata = `filename ${toBase64(name)}${said}`;
      const headers = { ...TUS, 'Upload-Length': String(size), 'Upload-Metadata': metadata };
      if (!direct) return (await call(createUpload, { params: { chat: chatId }, headers, signal })).id;
      const { facilityId: facility } = direct;
      const begun =
        'roleId' in direct
          ? call(createRoleUpload, { params: { facility, role: direct.roleId }, headers, signal })
          : call(createDirectUpload, { params: { facility, user: direct.userId }, headers, signal });
      return (await begun).id;
    },
    async ask(upload, signal) {
      const { offset, state } = await call(getUpload, { params: { upload }, signal });
      return { offset, isReady: state === 'ready' };
    },
    async send(upload, { from, bytes, onProgress }, signal) {
      const put = sendBytes(onProgress);
      await call(appendUpload, {
        params: { upload },
        headers: { ...TUS, 'Upload-Offset': String(from), 'Content-Type': UPLOAD_PART },
        timeoutMs: LONGEST_MS,
        fetch: (url, init) => put(String(url), { ...init, body: bytes }),
        signal,
      });
    },
    cancel: (upload) => call(cancelUpload, { params: { upload }, headers: TUS }).then(() => undefined),
  };
}

/** In letters that a header may carry. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** What a failure of these requests means for the upload. */
export function uploadFailureOf(error: unknown): UploadFailure {
  if (!(error instanceof ApiError)) return 'final';
  if (error.status === 404 || error.status === 410) return 'gone';
  if (error.status === 409) return 'moved';
  return isTemporary(error) ? 'temporary' : 'final';
}
