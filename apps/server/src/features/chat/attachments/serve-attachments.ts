import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import { ATTACHMENT_SIZES, type AttachmentSize } from '@wardline/contract/chat/attachments.ts';
import { Id } from '@wardline/contract/values.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ChatContext, readChat } from '#/features/chat/core/policy.ts';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { ByteRange, FileStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { NoteReads } from '#/platform/http/note-reads.ts';
import { type AddressSignatures, readSignature } from '#/platform/http/signed-addresses.ts';
import { workAs } from '#/platform/http/work-as.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import { attachmentFile } from './attachment-store.ts';
import { type Damage, isWhole, noteDamage, onlyWhole } from './damaged-files.ts';

export interface ServeDeps {
  readonly db: Database;
  readonly log: Log;
  readonly files: FileStore;
  readonly signatures: AddressSignatures;
  readonly noteReads: NoteReads;
  readonly resolveActor: (request: FastifyRequest) => Promise<Actor | null>;
  /** Who a session or token belongs to now, by the key that names it. */
  readonly resolveKey: (key: string) => Promise<Actor | null>;
  /** Whose pages may show what a cookie brought: this origin's, or those of other origins of this site as well. */
  readonly resourcePolicy: 'same-origin' | 'same-site';
}

/** Files of messages, for who may read the message now. A browser asks for them itself, so they are no operations of the contract. */
export function serveAttachments(app: FastifyInstance, deps: ServeDeps): void {
  app.get('/storage/attachments/:id/:size', async (request, reply) => {
    const [address = '', ...query] = (request.raw.url ?? '').split('?');
    const isSigned = query.length > 0;
    const actor = isSigned
      ? await deps.resolveKey(deps.signatures.keyOf(address, readSignature(query.join('?'))))
      : await deps.resolveActor(request);
    if (actor === null) throw new AppError('unauthenticated');
    const attachment = await workAs(actor, () => requireAttachment(deps.db, actor, address));
    const { id, size, name, mime, key, sha256, facilityId, chatId } = attachment;
    const note = (damage: Damage) => noteFound(deps, request, key, damage);
    const opened = await openFile(deps.files, attachmentFile(key, size), request.headers.range);
    if (opened === null) {
      await note('missing');
      throw new AppError('not_found');
    }
    const { stream, bytes, start, end } = opened;
    const isPart = end - start + 1 < bytes;
    const content = size === 'file' && !isPart ? await onlyWhole(stream, sha256, () => note('changed')) : stream;
    await workAs(actor, () => noteReading(deps, request, { actor, id, size, facilityId, chatId }));
    // Its page may be of another site: whoever has the address was given it a minute ago.
    reply.header('cross-origin-resource-policy', isSigned ? 'cross-origin' : deps.resourcePolicy);
    const isShown = size !== 'file' && request.headers['sec-fetch-dest'] !== 'document';
    if (isPart) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
    reply.headers({ 'accept-ranges': 'bytes', 'content-length': end - start + 1 });
    return send(reply, {
      type: size === 'file' ? mime : 'image/webp',
      disposition: isShown ? 'inline' : kept(name),
    }).send(content);
  });
}

/** Whoever asked has found it; the server says so by itself. */
function noteFound({ db, log }: ServeDeps, { id }: FastifyRequest, key: string, damage: Damage): Promise<void> {
  const write = createJobWrite({ db, log, jobId: `served ${id}` });
  return asSystem('job', () => noteDamage({ write, log }, key, damage));
}

async function openFile(files: FileStore, name: string, asked: string | undefined) {
  const bytes = await files.size(name);
  if (bytes === null) return null;
  const range = readRange(asked, bytes);
  const stream = await files.read(name, range);
  return stream === null ? null : { stream, bytes, ...range };
}

/** The one range that a player asks for (RFC 9110); whatever else is asked for, it is the whole. */
function readRange(header: string | undefined, bytes: number): ByteRange {
  const last = bytes - 1;
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  const range = { start: Number(from), end: to === '' ? last : Math.min(last, Number(to)) };
  return range.start <= range.end ? range : { start: 0, end: last };
}

interface ReadableAttachment {
  readonly id: string;
  readonly size: AttachmentSize;
  readonly name: string;
  readonly mime: string;
  readonly key: string;
  readonly sha256: Buffer;
  readonly facilityId: string;
  readonly chatId: string;
}

const ADDRESS = /^\/storage\/attachments\/([^/]+)\/([a-z]+)$/;

/** Asks with facts read now. What is not there, not sent, deleted, or not this person's to read is answered alike (404). */
export async function requireAttachment(db: Database, actor: Actor, address: string): Promise<ReadableAttachment> {
  const [, id = '', asked] = ADDRESS.exec(address) ?? [];
  const size = ATTACHMENT_SIZES.find((known) => known === asked);
  const found = size !== undefined && Id.safeParse(id).success ? await findAttachment(db, actor, id) : undefined;
  if (found === undefined || size === undefined) throw new AppError('not_found');
  const chat: ChatContext = {
    facilityId: found.facility_id,
    state: found.state as ChatContext['state'],
    participant: { userId: actor.userId, access: found.access as ChatContext['participant']['access'] },
  };
  const isThere = size === 'file' || found.kind === 'image';
  if (!isThere || found.mime === null || found.sha256 === null) throw new AppError('not_found');
  authorizeToKnow(actor, readChat, chat);
  const { name, mime, key, sha256, facility_id: facilityId, chat_id: chatId } = found;
  return { id, size, name, mime, key, sha256, facilityId, chatId };
}

/** With the place in its chat of who asks: only what came after they joined, and nothing that was deleted. */
function findAttachment(db: Database, actor: Actor, id: string) {
  return (
    db
      .selectFrom('attachments as a')
      .innerJoin('messages as m', 'm.id', 'a.message_id')
      .innerJoin('chats as c', 'c.id', 'm.chat_id')
      .innerJoin('active_participants as p', 'p.chat_id', 'm.chat_id')
      .select(['a.name', 'a.mime', 'a.kind', 'a.key', 'a.sha256', 'c.facility_id', 'c.state', 'm.chat_id', 'p.access'])
      .where('a.id', '=', id)
      .where('a.state', '=', 'ready')
      // What is held back is there for nobody.
      .where((row) => row.or([row('a.scan', 'is', null), row('a.scan', '=', 'clean')]))
      .where(isWhole)
      .where('m.deleted_at', 'is', null)
      .where('p.user_id', '=', actor.userId)
      .whereRef('m.seq', '>', 'p.joined_seq')
      .executeTakeFirst()
  );
}

/** The small picture comes with the messages, whose reading is noted itself. */
const READING: Readonly<Record<AttachmentSize, AuditAction | null>> = {
  file: 'chat.attachment.download',
  large: 'chat.attachment.view',
  small: null,
};

type Asked = Pick<ReadableAttachment, 'id' | 'size' | 'facilityId' | 'chatId'> & { readonly actor: Actor };

async function noteReading(
  { noteReads }: ServeDeps,
  { id: requestId, ip }: FastifyRequest,
  asked: Asked,
): Promise<void> {
  const { actor, id, size, facilityId, chatId } = asked;
  const action = READING[size];
  if (action === null) return;
  await noteReads({ actor, http: { requestId, ip } }, action, [
    { facilityId, objectType: 'attachment', objectId: id, chatId },
  ]);
}

function send(
  reply: FastifyReply,
  { type, disposition }: { readonly type: string; readonly disposition: string },
): FastifyReply {
  return reply.headers({
    'cache-control': 'private, no-store',
    vary: 'cookie, authorization',
    'content-type': type,
    'content-disposition': disposition,
  });
}

/** To be kept, never shown inside a page; the name in letters that every browser reads, and as it is (RFC 6266). */
function kept(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encoded}`;
}
