import type { downloadDataCopy as endpoint } from '@wardline/contract/account/own-data.ts';
import { sql } from 'kysely';
import type { FileStore } from '#/platform/files/file-store.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { copyFile } from './copy-queries.ts';

/**
 * The file, while it is kept, for its person alone; for everybody else it does not exist. Where it holds texts of a facility, the
 * person must be let in there by this session, and the facility still give them. That it is taken is stored before the first byte.
 */
export function downloadDataCopy({ files }: { readonly files: FileStore }) {
  return async (ctx: RequestContext, { params }: InputOf<typeof endpoint>): Promise<Download> => {
    const { actor, db, write } = ctx;
    const copy = await db
      .selectFrom('own_data_copies')
      .select(['id', 'key', 'requested_at', 'text_facility_ids'])
      .where('id', '=', params.copy)
      .where('user_id', '=', actor.userId)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    if (!copy) throw new AppError('not_found');
    await mustBeGiven(ctx, copy.text_facility_ids);
    const name = copyFile(copy.key);
    if ((await files.size(name)) === null) throw new AppError('not_found');
    await write('own_data.download', async () => ({
      result: undefined,
      audit: { objectType: 'data_copy', objectId: copy.id },
    }));
    const body = await files.read(name);
    if (!body) throw new AppError('not_found');
    return {
      fileName: `own-data-${copy.requested_at.toISOString().slice(0, 10)}.json`,
      contentType: 'application/json; charset=utf-8',
      body,
    };
  };
}

async function mustBeGiven({ actor, db }: RequestContext, facilityIds: readonly string[]): Promise<void> {
  if (facilityIds.length === 0) return;
  const giving = await db
    .selectFrom('facilities')
    .select('id')
    .where('id', 'in', facilityIds)
    .where('own_texts_in_copies', '=', true)
    .execute();
  const given = giving.filter(({ id }) => actor.memberships.some(({ facilityId }) => facilityId === id));
  if (given.length === facilityIds.length) return;
  throw new AppError('forbidden', {
    message: 'This copy holds texts of a facility that you are no longer let into, or that no longer gives them.',
  });
}
