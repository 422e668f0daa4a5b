import multipart from '@fastify/multipart';
import type { AnyEndpoint, Method } from '@wardline/contract/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '#/platform/http/app-error.ts';

const DEPTH_LIMIT = 32;

/** The body as a value: nothing sent is an empty object; deeper than 32 levels is refused. */
export function readBody(body: unknown): unknown {
  if (body === undefined || body === null || body === '') return {};
  if (depthOf(body, 0) > DEPTH_LIMIT) throw new AppError('bad_request');
  return body;
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > DEPTH_LIMIT) return depth;
  let deepest = depth;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, depth + 1));
  return deepest;
}

const LARGEST_FILE_BYTES = 5 * 1024 * 1024;
/** What stands around the file: boundaries, heads of parts, one short field. */
const LARGEST_REST_BYTES = 64 * 1024;
const LIMITS = {
  // One byte more is how the limit is seen.
  fileSize: LARGEST_FILE_BYTES + 1,
  files: 2,
  fields: 2,
  parts: 4,
  fieldNameSize: 100,
  fieldSize: 100,
  headerPairs: 20,
};

const LARGEST_FORM_BYTES = 64 * 1024;
const FORM_LIMITS = { files: 0, fields: 20, parts: 20, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 20 };

/** Lets the routes of this scope take forms of both kinds beside JSON, as browsers and pusher-js send them. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  const options = { parseAs: 'string', bodyLimit: LARGEST_FORM_BYTES } as const;
  scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
    done(null, [...new URLSearchParams(String(body))]);
  });
  await scope.register(multipart, { limits: FORM_LIMITS });
}

/**
 * The fields of a form. What was left blank was not sent, and what forms made for Laravel carry along counts for nothing
 * here: the CSRF token is taken from its header only.
 */
export async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = request.isMultipart() ? await readFields(request) : ((request.body ?? []) as [string, string][]);
  return Object.fromEntries(fields.filter(([name, value]) => value !== '' && !['_token', '_method'].includes(name)));
}

async function readFields(request: FastifyRequest): Promise<[string, unknown][]> {
  const stopCounting = endWhenTooLong(request, LARGEST_FORM_BYTES);
  const fields: [string, unknown][] = [];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') throw invalidField(part.fieldname, 'A file is not taken here.');
      fields.push([part.fieldname, part.value]);
    }
    return fields;
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_request', { cause: error });
  } finally {
    stopCounting();
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** Lets the routes of this scope take a file; everything else takes JSON only. */
export async function acceptFiles(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: LIMITS, throwFileSizeLimit: false });
}

/** Lets the routes of this scope take what an endpoint wants as it arrives; its verb counts the bytes. */
export function acceptStream(scope: FastifyInstance, { stream }: AnyEndpoint): void {
  if (stream === undefined || scope.hasContentTypeParser(stream)) return;
  scope.addContentTypeParser(stream, (_request, body, done) => done(null, body));
}

interface Wanted {
  readonly field: string;
  readonly method: Method;
}

/**
 * The one file of a multipart/form-data body, kept in memory, at most 5 MB. Beside it only `_method` may come, and must
 * where a POST stands for a PUT, since PHP reads no files of a PUT. Anything else is 422 at its field.
 */
export async function readFile(request: FastifyRequest, wanted: Wanted): Promise<Buffer> {
  if (!request.isMultipart()) {
    if (request.method !== wanted.method) throw new AppError('method_not_allowed');
    throw new AppError('unsupported_media_type', { message: 'Send multipart/form-data.' });
  }
  const stopCounting = endWhenTooLong(request, LARGEST_FILE_BYTES + LARGEST_REST_BYTES);
  try {
    return await readParts(request, wanted);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_request', { cause: error });
  } finally {
    stopCounting();
    // What is left of it goes nowhere; otherwise the connection would wait for somebody to read it.
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function readParts(request: FastifyRequest, { field, method: wanted }: Wanted): Promise<Buffer> {
  let file: Buffer | null = null;
  let method: unknown = null;
  for await (const part of request.parts()) {
    if (part.type === 'field' && part.fieldname === '_method') {
      method = part.value;
    } else if (part.type === 'file' && part.fieldname === field) {
      if (file !== null) throw invalidField(field, 'Send one file.');
      file = await readAll(part.file, field);
    } else {
      throw invalidField(part.fieldname, 'This field is not known.');
    }
  }
  const meant = method === null ? request.method : String(method).toUpperCase();
  if (meant !== wanted) throw new AppError('method_not_allowed');
  if (file === null || file.length === 0) throw invalidField(field, 'This field is required.');
  return file;
}

async function readAll(stream: AsyncIterable<Buffer>, field: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LARGEST_FILE_BYTES) throw invalidField(field, 'At most 5 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The parser limits the file; this limits what is sent around it, by ending the connection. */
function endWhenTooLong({ raw }: FastifyRequest, mostBytes: number): () => void {
  let size = 0;
  const count = (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) raw.destroy();
  };
  raw.on('data', count);
  return () => raw.off('data', count);
}
