import { createHash } from 'node:crypto';
import type { ExaminationEvent } from '@wardline/examination/transition.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { ExaminationRecord } from './examination-queries.ts';

/** A press as the device names it, with what it asks for. */
export interface Press {
  readonly examinationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly request: object;
}

const hash = (request: object) => createHash('sha256').update(JSON.stringify(request)).digest();

/** Whether this press was done before; the same id for something else is refused. */
export async function isDone(
  tx: DatabaseTransaction,
  { examinationId, userId, clientId, request }: Press,
): Promise<boolean> {
  const found = await tx
    .selectFrom('examination_moves')
    .select(['examination_id', 'request_sha256'])
    .where('moved_by', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!found) return false;
  if (found.examination_id === examinationId && found.request_sha256?.equals(hash(request))) return true;
  throw new AppError('client_id_reused', { message: 'This press was stored before as another one.' });
}

interface Made {
  readonly examinationId: string;
  readonly userId: string;
  /** The version that it makes. */
  readonly version: number;
  readonly event: ExaminationEvent;
  readonly press: Press | null;
}

export async function insertMove(tx: DatabaseTransaction, { press, ...made }: Made): Promise<void> {
  await tx
    .insertInto('examination_moves')
    .values({
      ...{ examination_id: made.examinationId, version: made.version, event: made.event, moved_by: made.userId },
      ...{ client_id: press?.clientId ?? null, request_sha256: press && hash(press.request) },
    })
    .execute();
}

/** The version that came of an earlier press of this person on this examination; null where it was never done. */
export async function findMadeVersion(
  tx: DatabaseTransaction,
  { examinationId, userId, clientId }: Omit<Press, 'request'>,
): Promise<number | null> {
  const found = await tx
    .selectFrom('examination_moves')
    .select('version')
    .where('moved_by', '=', userId)
    .where('client_id', '=', clientId)
    .where('examination_id', '=', examinationId)
    .executeTakeFirst();
  return found?.version ?? null;
}

const DONE: Readonly<Record<ExaminationEvent, string>> = {
  ...{ request: 'requested it', start: 'started it', return: 'returned the request', sign: 'signed the report' },
  ...{ amend: 'amended the report', cancel: 'cancelled it', mark_in_error: 'marked it as entered in error' },
};

/** What was done to it last, and by whom: for who saw it before that. */
export async function describeLastChange(tx: DatabaseTransaction, { id, version }: ExaminationRecord): Promise<string> {
  const move = await tx
    .selectFrom('examination_moves as m')
    .innerJoin('users as u', 'u.id', 'm.moved_by')
    .select(['m.event', 'u.name'])
    .where('m.examination_id', '=', id)
    .where('m.version', '=', version)
    .executeTakeFirst();
  if (move) return `${move.name} ${DONE[move.event as ExaminationEvent]} meanwhile.`;
  const entry = await tx
    .selectFrom('examination_entries as e')
    .innerJoin('users as u', 'u.id', 'e.changed_by')
    .select('u.name')
    .where('e.examination_id', '=', id)
    .where('e.version', '=', version)
    .executeTakeFirst();
  return entry ? `${entry.name} entered values meanwhile.` : 'Someone changed this in the meantime.';
}
