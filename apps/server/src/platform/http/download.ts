import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file that a verb answers with. */
export interface Download {
  /** Letters, digits, dots, dashes. */
  readonly fileName: string;
  readonly contentType: string;
  /** Whole, or in parts as they are read from the database. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
}

/** Sends a file to be kept, never to be shown inside the page. */
export function sendDownload(reply: FastifyReply, { fileName, contentType, body }: Download): FastifyReply {
  reply.header('content-type', contentType);
  reply.header('content-disposition', `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`);
  return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body));
}
