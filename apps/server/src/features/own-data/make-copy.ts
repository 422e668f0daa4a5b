import { COPY_HOURS } from '@wardline/contract/account/own-data.ts';
import { Id } from '@wardline/contract/values.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { keepStated } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { createJobWrite } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { copyFile } from './copy-queries.ts';
import { COPY_MAIL_JOB } from './request-copy.ts';

const OfCopy = z.object({ copy_id: Id });

/** What one copy holds at most. What is beyond is left out, and the copy says so. */
export interface CopyLimits {
  readonly rowsAtOnce: number;
  readonly rowsOfList: number;
  readonly bytes: number;
  readonly ms: number;
}

const LIMITS: CopyLimits = { rowsAtOnce: 1_000, rowsOfList: 50_000, bytes: 64 * 1024 * 1024, ms: 90_000 };

interface MakeCopyDeps {
  readonly files: FileStore;
  readonly lists: readonly OwnDataList[];
  readonly productName: string;
}

/**
 * The job that makes a copy: reads the lists a page at a time, each as its own short query, and writes them as they come. Run
 * again it writes the same file; a copy that is ready, or whose person is gone, is left as it is.
 */
export function makeCopy({ files, lists, productName }: MakeCopyDeps, limits = LIMITS): JobHandler {
  return async (payload, context) => {
    const { copy_id: copyId } = OfCopy.parse(payload);
    const { db } = context;
    const wanted = await findWanted(db, copyId);
    if (!wanted) return;
    const written = { bytes: 0, leftOut: [] as string[] };
    const source = writeCopy({ db, lists, wanted, productName, limits }, written);
    await files.put(copyFile(wanted.key), keepStated(source));
    const isStanding = await createJobWrite(context)('own_data.make', async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('own_data_copies')
        .set({
          ready_at: sql`now()`,
          expires_at: sql`now() + make_interval(hours => ${COPY_HOURS})`,
          bytes: written.bytes,
          is_complete: written.leftOut.length === 0,
          text_facility_ids: wanted.text_facility_ids,
        })
        .where('id', '=', copyId)
        .where('ready_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return { result: await isThere(tx, copyId), audit: null };
      await enqueueJob(tx, { kind: COPY_MAIL_JOB, payload: { copy_id: copyId } });
      const detail = { user: wanted.user_id, left_out: written.leftOut };
      return {
        result: true,
        audit: { objectType: 'data_copy', objectId: copyId, detail },
      };
    });
    // Its person has gone while it was written, and it was taken away before the file was there.
    if (!isStanding) await files.remove(copyFile(wanted.key));
  };
}

async function isThere(tx: DatabaseTransaction, copyId: string): Promise<boolean> {
  const found = await tx.selectFrom('own_data_copies').select('id').where('id', '=', copyId).executeTakeFirst();
  return found !== undefined;
}

interface Wanted {
  readonly user_id: string;
  readonly key: string;
  /** The facilities among those that were asked for whose rule gives texts, and where the person still belongs. */
  readonly text_facility_ids: string[];
}

const wantedRows = typedRows<Wanted>({ user_id: 'string', key: 'string', text_facility_ids: 'array' });

async function findWanted(db: Database, copyId: string): Promise<Wanted | undefined> {
  const query = sql`
    select c.user_id, c.key, array(
      select f.id from facilities f
      join memberships m on m.facility_id = f.id and m.user_id = c.user_id and m.ended_at is null
      where f.id = any(c.text_facility_ids) and f.own_texts_in_copies and f.deactivated_at is null) as text_facility_ids
    from own_data_copies c join users u on u.id = c.user_id and u.disabled_at is null
    where c.id = ${copyId} and c.ready_at is null`;
  return wantedRows.first(db, query);
}

interface CopySource {
  readonly db: Database;
  readonly lists: readonly OwnDataList[];
  readonly wanted: Wanted;
  readonly productName: string;
  readonly limits: CopyLimits;
}

const NOTES = [
  'Times are in UTC. Ids are the same in all lists.',
  'Of messages the text is here only where the facility allows it: it may be about patients. Forwarded and deleted texts, and what others wrote, are never here.',
  'No passwords, keys or codes are here, of any of the ways to sign in.',
];

/** The file, piece by piece; what it came to is told in `written`. */
async function* writeCopy(
  { db, lists, wanted, productName, limits }: CopySource,
  written: { bytes: number; leftOut: string[] },
): AsyncGenerator<Buffer> {
  const until = performance.now() + limits.ms;
  const piece = (text: string) => {
    const bytes = Buffer.from(text);
    written.bytes += bytes.length;
    return bytes;
  };
  const head = { product: productName, person_id: wanted.user_id, made_at: new Date().toISOString(), notes: NOTES };
  yield piece(JSON.stringify(head).slice(0, -1));
  for (const list of lists) {
    yield piece(`,\n${JSON.stringify(list.name)}:[`);
    let count = 0;
    for await (const rows of readList(db, list, { wanted, limits })) {
      const isTooMuch = count >= limits.rowsOfList || written.bytes >= limits.bytes || performance.now() >= until;
      if (isTooMuch) {
        written.leftOut.push(list.name);
        break;
      }
      const kept = rows.slice(0, limits.rowsOfList - count);
      yield piece(`${count > 0 ? ',' : ''}\n${kept.map((row) => JSON.stringify(row)).join(',\n')}`);
      count += kept.length;
    }
    yield piece(']');
  }
  yield piece(`,\n"left_out":${JSON.stringify(written.leftOut)}}\n`);
}

const listRows = typedRows<{ row: object; place: string }>({ row: 'json', place: 'string' });

async function* readList(
  db: Database,
  list: OwnDataList,
  { wanted, limits }: Pick<CopySource, 'wanted' | 'limits'>,
): AsyncGenerator<object[]> {
  let after: string | null = null;
  do {
    const limit = limits.rowsAtOnce;
    const page = { userId: wanted.user_id, textFacilityIds: wanted.text_facility_ids, after, limit };
    const rows: { row: object; place: string }[] = await listRows.read(db, list.query(page));
    if (rows.length > 0) yield rows.map(({ row }) => row);
    after = rows.length < limit ? null : (rows.at(-1)?.place ?? null);
  } while (after !== null);
}
