import type { Message } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { sql } from 'kysely';
import { examinationChanged } from '#/features/chat/core/chat-events.ts';
import { storeMessageChange } from '#/features/chat/core/message-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** Under the chat's lock, with the message just stored: what it cites. To its readers it is new, so this is no change of it. */
export async function storeCitations(
  tx: DatabaseTransaction,
  message: Message,
  citations: readonly Citation[],
): Promise<Message> {
  const rows = citations.map(({ examination_id, field, report_version }, index) => ({
    ...{ message_id: message.id, place: index + 1, examination_id, field, report_version, seq: message.seq },
  }));
  await tx.insertInto('message_citations').values(rows).execute();
  await sql`update messages set citations = ${JSON.stringify(citations)}::jsonb where id = ${message.id}`.execute(tx);
  return { ...message, citations: [...citations] };
}

/** What is deleted cites nothing; the ids of the examinations that it cited. */
export async function removeCitations(tx: DatabaseTransaction, messageId: string): Promise<string[]> {
  const gone = await tx
    .deleteFrom('message_citations')
    .where('message_id', '=', messageId)
    .returning('examination_id')
    .execute();
  return gone.map(({ examination_id }) => examination_id);
}

/** After what cites them changed: who shows one of these examinations asks again for what cites it. */
export async function tellCited(
  tx: DatabaseTransaction,
  chatId: string,
  examinationIds: readonly string[],
): Promise<Publication[]> {
  if (examinationIds.length === 0) return [];
  const cited = await tx
    .selectFrom('examinations')
    .select(['id', 'version'])
    .where('id', 'in', examinationIds)
    .execute();
  return cited.flatMap((examination) => examinationChanged({ ...examination, chatId }));
}

const citing = typedRows<{ id: string; citations: Citation[] }>({ id: 'string', citations: 'array' });

/** Under the chat's lock: the messages of a chat that cite an examination, with their citations of it told anew; those that changed, as they are now. */
export async function recite(
  tx: DatabaseTransaction,
  examinationId: string,
  standing: (citation: Citation) => Citation,
): Promise<Message[]> {
  const query = sql`
    select m.id, m.citations from messages as m
    where m.citations is not null
      and m.id in (select c.message_id from message_citations as c where c.examination_id = ${examinationId})
    order by m.seq`;
  const changed: Message[] = [];
  for (const { id, citations } of await citing.read(tx, query)) {
    const next = citations.map((one) => (one.examination_id === examinationId ? standing(one) : one));
    if (JSON.stringify(next.map(({ now = null }) => now)) === JSON.stringify(citations.map(({ now = null }) => now)))
      continue;
    changed.push(await storeMessageChange(tx, id, sql`citations = ${JSON.stringify(next)}::jsonb`));
  }
  return changed;
}
