import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, NoContent, Nothing, SeqQuery } from '../values.ts';

/** The version of the tus protocol (https://tus.io) that is spoken, in the header Tus-Resumable. */
export const TUS_VERSION = '1.0.0';
/** The media type of what is added to an upload. */
export const UPLOAD_PART = 'application/offset+octet-stream';

const tusVersion = { 'tus-resumable': z.optional(z.string()) };
const uploadParams = z.strictObject({ upload: Id });

/** How far an upload is; the id is the attachment's as well. */
export const Upload = z.object({
  id: Id,
  state: z.enum(['uploading', 'ready']),
  offset: z.int(),
  length: z.int(),
});
export type Upload = z.infer<typeof Upload>;

export const createUpload = endpoint({
  name: 'createUpload',
  summary:
    'Begins the upload of a file for a message that I write in this chat (tus 1.0: Upload-Length, Upload-Metadata with filename, and voice with the JSON of a voice note). Answers its address in Location.',
  method: 'POST',
  path: '/api/chats/{chat}/uploads',
  access: 'signed-in',
  params: z.strictObject({ chat: Id }),
  query: Nothing,
  headers: z.object({
    ...tusVersion,
    'upload-length': SeqQuery,
    'upload-metadata': z.optional(z.string().check(z.maxLength(2_000))),
  }),
  body: Nothing,
  status: 201,
  reply: Upload,
});

export const createDirectUpload = endpoint({
  ...createUpload,
  name: 'createDirectUpload',
  summary:
    'Begins the upload of a file for a message to this person, as createUpload does; there need be no chat with them yet, and they learn nothing of it until it is sent by sendDirectMessage.',
  path: '/api/facilities/{facility}/members/{user}/uploads',
  params: z.strictObject({ facility: Id, user: Id }),
});

export const createRoleUpload = endpoint({
  ...createUpload,
  name: 'createRoleUpload',
  summary: 'Begins the upload of a file for a message to this on-call role, as createDirectUpload does to a person.',
  path: '/api/facilities/{facility}/on-call-roles/{role}/uploads',
  params: z.strictObject({ facility: Id, role: Id }),
});

export const getUpload = endpoint({
  name: 'getUpload',
  summary: 'How far an upload of mine is; by HEAD in the headers Upload-Offset and Upload-Length (tus 1.0).',
  method: 'GET',
  path: '/api/uploads/{upload}',
  access: 'signed-in',
  params: uploadParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Upload,
});

export const appendUpload = endpoint({
  name: 'appendUpload',
  summary:
    'Adds to an upload at the offset that it has reached (tus 1.0); what arrives of a request that breaks off is kept. The last part makes the file ready, or says why it is not taken. A part without bytes at the end tries that again.',
  method: 'PATCH',
  path: '/api/uploads/{upload}',
  access: 'signed-in',
  params: uploadParams,
  query: Nothing,
  headers: z.object({ ...tusVersion, 'upload-offset': SeqQuery }),
  body: Nothing,
  stream: UPLOAD_PART,
  status: 204,
  reply: NoContent,
});

export const cancelUpload = endpoint({
  name: 'cancelUpload',
  summary: 'Ends an upload of mine, or takes back a file that was not sent yet (tus 1.0).',
  method: 'DELETE',
  path: '/api/uploads/{upload}',
  access: 'signed-in',
  params: uploadParams,
  query: Nothing,
  headers: z.object(tusVersion),
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const signAttachments = endpoint({
  name: 'signAttachments',
  summary:
    'Addresses of files of messages that need no cookie and no token for a minute; null for what I may not read.',
  method: 'POST',
  path: '/api/attachment-addresses',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    addresses: z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(100)),
  }),
  status: 200,
  reply: z.object({
    /** In the order of the request. */
    addresses: z.array(z.nullable(z.string())),
    /** Seconds for which they hold. */
    expires_in_s: z.int(),
  }),
});

export const getUploadLimits = endpoint({
  name: 'getUploadLimits',
  summary: 'What the operator lets people send: how large a file may be, and of which kinds.',
  method: 'GET',
  path: '/api/upload-limits',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ max_bytes: z.int(), kinds: z.array(z.string()) }),
});

export const uploadEndpoints = [
  getUploadLimits,
  createUpload,
  createDirectUpload,
  createRoleUpload,
  getUpload,
  appendUpload,
  cancelUpload,
  signAttachments,
] as const;
