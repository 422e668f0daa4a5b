import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/laboratory.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow, can } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { assignResults, changeLaboratory, openLaboratory, seeLaboratory } from '../core/policy.ts';
import { countUnmatched, findFeed, holdFeed, listMessages } from './feed-queries.ts';

/** How the facility hears its laboratory. */
export async function getLaboratoryFeed(
  { actor, db }: RequestContext,
  { params: { facility: facilityId } }: InputOf<typeof contract.getLaboratoryFeed>,
): Promise<contract.LaboratoryFeed> {
  authorizeToKnow(actor, seeLaboratory, { facilityId });
  authorize(actor, openLaboratory, { facilityId });
  return serialize(db, { actor, facilityId });
}

async function serialize(
  db: Database | DatabaseTransaction,
  { actor, facilityId }: { readonly actor: Actor; readonly facilityId: string },
): Promise<contract.LaboratoryFeed> {
  const { version, authority, critical_role_id: id, critical_role: name, codes } = await findFeed(db, facilityId);
  const unmatched = await countUnmatched(db, facilityId);
  return {
    ...{ version, authority, critical_role: id !== null && name !== null ? { id, name } : null, codes: [...codes] },
    ...{ unmatched: unmatched.all, unmatched_critical: unmatched.critical },
    my: {
      can_change: can(actor, changeLaboratory, { facilityId }),
      can_assign: can(actor, assignResults, { facilityId }),
    },
  };
}

/** What is set holds for the next message; what was filed stays as it is. */
export async function setLaboratoryFeed(
  { actor, write }: RequestContext,
  { params: { facility: facilityId }, body }: InputOf<typeof contract.setLaboratoryFeed>,
): Promise<contract.LaboratoryFeed> {
  authorizeToKnow(actor, seeLaboratory, { facilityId });
  authorize(actor, changeLaboratory, { facilityId });
  const codes = new Map(body.codes.map(({ code, loinc }) => [code, loinc]));
  if (codes.size < body.codes.length) throw invalidField('codes', 'Give each code once.');
  return write('laboratory.set', async (tx) => {
    await holdFeed(tx, facilityId);
    await authorizeNow(tx, actor, changeLaboratory, { facilityId });
    const stored = await tx
      .updateTable('laboratory_feeds')
      .set({
        ...{ authority: body.authority, critical_role_id: await requireRole(tx, facilityId, body.critical_role_id) },
        ...{ codes: JSON.stringify(body.codes), version: sql<number>`version + 1`, updated_at: sql<Date>`now()` },
      })
      .where('facility_id', '=', facilityId)
      // Before anybody set it, the first message makes the row.
      .where('version', '=', Math.max(1, body.version))
      .returning('version')
      .executeTakeFirst();
    if (!stored) throw new AppError('conflict');
    const detail = { codes: body.codes.length, role: body.critical_role_id, has_authority: body.authority !== null };
    return {
      result: await serialize(tx, { actor, facilityId }),
      audit: { facilityId, objectType: 'facility', objectId: facilityId, detail },
    };
  });
}

async function requireRole(tx: DatabaseTransaction, facilityId: string, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const found = tx.selectFrom('on_call_roles').select('id').where('id', '=', id).where('facility_id', '=', facilityId);
  if (!(await found.where('retired_at', 'is', null).executeTakeFirst())) {
    throw invalidField('critical_role_id', 'This on-call role is no longer there.');
  }
  return id;
}

const USUAL = 20;

/** The messages that were taken, with nothing of a patient. */
export async function listLaboratoryMessages(
  { actor, db }: RequestContext,
  { params: { facility: facilityId }, query }: InputOf<typeof contract.listLaboratoryMessages>,
): Promise<ReplyOf<typeof contract.listLaboratoryMessages>> {
  authorizeToKnow(actor, seeLaboratory, { facilityId });
  authorize(actor, openLaboratory, { facilityId });
  const { cursor, limit = USUAL } = query;
  const before = cursor === undefined ? null : idCursor(cursor);
  const rows = await listMessages(db, { facilityId, before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(({ received_at, ...row }) => ({ ...row, received_at: received_at.toISOString() })),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
