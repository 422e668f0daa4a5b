import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

export interface MessageTemplateOptions {
  readonly facilityId: string;
  readonly userId: string;
  readonly title: string;
  readonly body?: string;
}

export async function makeMessageTemplate(
  db: Database | DatabaseTransaction,
  { facilityId, userId, title, body = `**${title}:**` }: MessageTemplateOptions,
): Promise<string> {
  const id = newId();
  await db
    .insertInto('message_templates')
    .values({ id, facility_id: facilityId, title, body, created_by: userId })
    .execute();
  return id;
}
