import type * as contract from '@wardline/contract/chat/records.ts';
import type { LegalHold } from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { decodeListCursor, encodeListCursor } from '#/features/chat/core/list-cursor.ts';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import { manageRecords } from '#/features/chat/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findHold, listHolds } from './hold-queries.ts';
import { requireRecords } from './retention-rules.ts';

type List = typeof contract.listLegalHolds;
type Place = typeof contract.placeLegalHold;
type Lift = typeof contract.liftLegalHold;

const PAGE = 50;

/** It names patients to somebody who is in none of their chats, which is noted. */
export async function listLegalHolds(
  { actor, db, noteReads }: RequestContext,
  { params, query }: InputOf<List>,
): Promise<ReplyOf<List>> {
  const facilityId = params.facility;
  requireRecords(actor, facilityId);
  const after = query.cursor === undefined ? null : decodeListCursor(query.cursor);
  const question = { facilityId, isOpen: query.state !== 'all', after, limit: query.limit ?? PAGE };
  const { data, next } = await inOwnFacilities(() => listHolds(db, question));
  await noteReads('hold.view', [{ facilityId, objectType: 'facility', objectId: facilityId }]);
  return { data, next_cursor: next && encodeListCursor(next) };
}

/** From the answer on nothing of it is deleted: what deletes holds the policy of the facility, shared, until it commits. */
export async function placeLegalHold(
  { actor, write }: RequestContext,
  { params, body }: InputOf<Place>,
): Promise<LegalHold> {
  const facilityId = params.facility;
  const { client_id: id, subject, reason } = body;
  requireRecords(actor, facilityId);
  return write('hold.place', async (tx) => {
    await lockRetentionPolicy(tx, facilityId, 'update');
    await authorizeNow(tx, actor, manageRecords, { facilityId });
    await requireSubject(tx, facilityId, subject);
    const asked = {
      ...{ facility_id: facilityId, reason, placed_by: actor.userId },
      chat_id: subject.kind === 'chat' ? subject.chat_id : null,
      patient_identifier: subject.kind === 'patient' ? subject.identifier : null,
      user_id: subject.kind === 'person' ? subject.user_id : null,
    };
    const stored = await tx
      .insertInto('legal_holds')
      .values({ id, ...asked })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!stored && !(await isSameHold(tx, id, asked))) throw new AppError('client_id_reused');
    const result = await findHold(tx, { facilityId, id });
    if (result === null) throw new Error('a legal hold was placed and is not there');
    if (!stored) return { result, audit: null };
    return { result, audit: { facilityId, ...aboutOf(result), detail: { hold: id, kind: subject.kind } } };
  });
}

async function isSameHold(tx: DatabaseTransaction, id: string, asked: Readonly<Record<string, string | null>>) {
  const columns = ['facility_id', 'reason', 'placed_by', 'chat_id', 'patient_identifier', 'user_id'] as const;
  const standing = await tx.selectFrom('legal_holds').select(columns).where('id', '=', id).executeTakeFirst();
  return standing !== undefined && columns.every((column) => standing[column] === asked[column]);
}

/** What was held may be deleted from the next night on. */
export async function liftLegalHold(
  { actor, write }: RequestContext,
  { params, body: { reason } }: InputOf<Lift>,
): Promise<LegalHold> {
  const { facility: facilityId, legal_hold: id } = params;
  requireRecords(actor, facilityId);
  return write('hold.lift', async (tx) => {
    await sql`select from legal_holds where id = ${id} for no key update`.execute(tx);
    await authorizeNow(tx, actor, manageRecords, { facilityId });
    const standing = await findHold(tx, { facilityId, id });
    if (standing === null) throw new AppError('not_found');
    if (standing.lifted !== null) {
      if (standing.lifted.by.id === actor.userId && standing.lifted.reason === reason)
        return { result: standing, audit: null };
      throw new AppError('conflict', { message: `${standing.lifted.by.name} has ended it already.` });
    }
    await tx
      .updateTable('legal_holds')
      .set({ lifted_by: actor.userId, lifted_at: sql`now()`, lift_reason: reason })
      .where('id', '=', id)
      .execute();
    const result = await findHold(tx, { facilityId, id });
    if (result === null) throw new Error('a legal hold was ended and is not there');
    return {
      result,
      audit: { facilityId, ...aboutOf(result), detail: { hold: id, kind: result.subject.kind } },
    };
  });
}

/** The audit names chats and people; a patient is known to it by the hold alone. */
function aboutOf({ id, subject }: LegalHold) {
  if (subject.kind === 'chat') return { objectType: 'chat', objectId: subject.chat.id };
  if (subject.kind === 'person') return { objectType: 'user', objectId: subject.person.id };
  return { objectType: 'legal_hold', objectId: id };
}

type Subject = InputOf<Place>['body']['subject'];

/** Of this facility, also who has left it. A patient may be held before there is a chat about them. */
async function requireSubject(tx: DatabaseTransaction, facilityId: string, subject: Subject): Promise<void> {
  if (subject.kind === 'patient') return;
  const found =
    subject.kind === 'chat'
      ? await tx
          .selectFrom('chats')
          .select('id')
          .where('id', '=', subject.chat_id)
          .where('facility_id', '=', facilityId)
          .executeTakeFirst()
      : await tx
          .selectFrom('memberships')
          .select('id')
          .where('user_id', '=', subject.user_id)
          .where('facility_id', '=', facilityId)
          .limit(1)
          .executeTakeFirst();
  if (!found) throw invalidField('subject', 'There is no such chat or person in this facility.');
}
