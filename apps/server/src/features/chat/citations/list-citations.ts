import type { CitingMessage, listCitations as endpoint } from '@wardline/contract/chat/citations.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { requireChatToRead } from '#/features/chat/core/require-chat.ts';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Endpoint = typeof endpoint;

const PAGE = 50;
const EXCERPT_LENGTH = 160;

/** Who reads the chat is told which of the messages that they may read cite a finding: whoever came later sees those since. */
export async function listCitations(
  ctx: RequestContext,
  { params, query }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const found = await ctx.db
    .selectFrom('examinations')
    .select('chat_id')
    .where('id', '=', params.examination)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found');
  const { id: chatId } = await requireChatToRead(ctx, found.chat_id);
  const limit = query.limit ?? PAGE;
  const page = {
    ...{ chatId, userId: ctx.actor.userId, examinationId: params.examination, field: query.field ?? null },
    ...{ before: query.cursor === undefined ? null : seqOf(query.cursor), limit: limit + 1 },
  };
  const rows = await citingMessages(ctx.db, page);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? `s${last.seq}` : null };
}

function seqOf(cursor: string): number {
  const [, seq] = /^s(\d{1,15})$/.exec(cursor) ?? [];
  if (seq === undefined) throw wrongCursor();
  return Number(seq);
}

interface CitingRow {
  readonly id: string;
  readonly seq: number;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly created_at: Date;
  readonly body: string;
  readonly cited: CitingMessage['cited'];
}
const citingRows = typedRows<CitingRow>({
  ...{ id: 'string', seq: 'number', sender_id: 'string', sender_name: 'string', created_at: 'date', body: 'string' },
  cited: 'array',
});

interface CitingPage {
  readonly chatId: string;
  readonly userId: string;
  readonly examinationId: string;
  readonly field: string | null;
  readonly before: number | null;
  readonly limit: number;
}

/** Who may read is part of the statement, as in every page of messages. */
async function citingMessages(
  db: Database,
  { chatId, userId, examinationId, field, before, limit }: CitingPage,
): Promise<CitingMessage[]> {
  const query = sql`
    with page as (
      select c.message_id, c.seq,
        jsonb_agg(jsonb_build_object('field', c.field, 'report_version', c.report_version) order by c.place) as cited
      from active_participants as p join message_citations as c on c.examination_id = ${examinationId} and c.seq > p.joined_seq
      where p.chat_id = ${chatId} and p.user_id = ${userId}
        and (${field}::text is null or c.field = ${field}) and (${before}::bigint is null or c.seq < ${before})
      group by c.seq, c.message_id
      order by c.seq desc limit ${limit}
    )
    select m.id, m.seq, m.sender_id, u.name as sender_name, m.created_at, m.body, page.cited
    from page join messages as m on m.id = page.message_id join users as u on u.id = m.sender_id
    order by m.seq desc`;
  return (await citingRows.read(db, query)).map(({ id, seq, sender_id, sender_name, created_at, body, cited }) => ({
    ...{ message_id: id, seq, sender: { user_id: sender_id, name: sender_name }, created_at: created_at.toISOString() },
    ...{ excerpt: [...body].slice(0, EXCERPT_LENGTH).join(''), cited: [...cited] },
  }));
}
