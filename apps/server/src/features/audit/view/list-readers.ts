import type { listReaders as endpoint } from '@wardline/contract/audit.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { closedFacilities } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findReadingIds, readAuditRows } from './audit-queries.ts';
import { findChatsOfWriter } from './chat-queries.ts';
import { decodeAuditCursor, encodeAuditCursor, toAuditEntry } from './to-audit-entry.ts';

const PAGE = 50;
const READING = [
  'chat.read',
  'chat.found',
  'chat.attachment.view',
  'chat.attachment.download',
  'examination.view',
  'audit.view',
];

/** Who else opened the chats that somebody writes in. A chat in which they do not write is not there (404). */
export async function listReaders(
  { actor, db }: RequestContext,
  { query }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const chatIds = await findChatsOfWriter(db, { userId: actor.userId, closed: closedFacilities(actor) }, query.chat);
  if (query.chat !== undefined && chatIds.length === 0) throw new AppError('not_found');
  const page = { before: decodeAuditCursor(query.cursor), limit: query.limit ?? PAGE };
  const { ids, next } = await findReadingIds(db, { chatIds, actions: READING, but: actor.userId }, page);
  const rows = await readAuditRows(db, ids);
  return { data: rows.map(toAuditEntry), next_cursor: encodeAuditCursor(next) };
}
