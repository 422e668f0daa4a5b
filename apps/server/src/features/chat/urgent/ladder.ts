import type { LadderStep } from '@wardline/contract/chat/urgent.ts';
import type * as contract from '@wardline/contract/chat/urgent-acts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { manageLadder } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findHolder } from './who-to-call.ts';

type Ladder = ReplyOf<typeof contract.getUrgentLadder>;

/** Where a facility has not set its own. */
export const DEFAULT_STEPS: readonly LadderStep[] = [
  { after_min: 5, call: 'again' },
  { after_min: 10, call: 'next' },
  { after_min: 15, call: 'fallback' },
];

export async function getUrgentLadder(
  { actor, db }: RequestContext,
  { params }: InputOf<typeof contract.getUrgentLadder>,
): Promise<Ladder> {
  requireFacility(actor, params.facility);
  return loadLadder(db, params.facility);
}

const ladders = typedRows<{
  steps: readonly LadderStep[];
  version: number;
  fallback_role_id: string | null;
  fallback_name: string | null;
}>({ steps: 'array', version: 'number', fallback_role_id: 'string?', fallback_name: 'string?' });

/** A fallback role that was retired meanwhile is none. */
export async function loadLadder(db: Database | DatabaseTransaction, facilityId: string): Promise<Ladder> {
  const found = await ladders.first(
    db,
    sql`select l.steps, l.version, r.id as fallback_role_id, r.name as fallback_name
      from escalation_ladders l left join on_call_roles r on r.id = l.fallback_role_id and r.retired_at is null
      where l.facility_id = ${facilityId}`,
  );
  if (!found) return { steps: [...DEFAULT_STEPS], fallback: null, version: 0 };
  const { steps, version, fallback_role_id: roleId, fallback_name: name } = found;
  if (roleId === null || name === null) return { steps: [...steps], fallback: null, version };
  return { steps: [...steps], fallback: { role_id: roleId, name, holder: await findHolder(db, roleId) }, version };
}

export async function setUrgentLadder(
  { actor, write }: RequestContext,
  { params, body }: InputOf<typeof contract.setUrgentLadder>,
): Promise<Ladder> {
  const facilityId = params.facility;
  requireFacility(actor, facilityId);
  authorize(actor, manageLadder, { facilityId });
  const { expected_version, steps, fallback_role_id } = body;
  if (steps.some(({ after_min }, index) => index > 0 && after_min <= (steps[index - 1]?.after_min ?? 0))) {
    throw invalidField('steps', 'Each step comes after the one before it.');
  }
  return write('urgent.ladder.set', async (tx) => {
    if (fallback_role_id !== null) await requireRole(tx, { facilityId, roleId: fallback_role_id });
    const stored = await sql`
      insert into escalation_ladders as l (facility_id, steps, fallback_role_id)
      select ${facilityId}, ${JSON.stringify(steps)}::jsonb, ${fallback_role_id}::uuid
      where ${expected_version} = 0 or exists (select from escalation_ladders where facility_id = ${facilityId})
      on conflict (facility_id) do update set steps = excluded.steps, fallback_role_id = excluded.fallback_role_id,
        version = l.version + 1, updated_at = now()
      where l.version = ${expected_version}`.execute(tx);
    // The row is held by now, which may have been waited for.
    await authorizeNow(tx, actor, manageLadder, { facilityId });
    if (stored.numAffectedRows === 0n) throw new AppError('conflict');
    return {
      result: await loadLadder(tx, facilityId),
      audit: {
        ...{ facilityId, objectType: 'facility', objectId: facilityId },
        detail: { steps, fallback: fallback_role_id },
      },
    };
  });
}

async function requireRole(
  tx: DatabaseTransaction,
  { facilityId, roleId }: { facilityId: string; roleId: string },
): Promise<void> {
  const found = await tx
    .selectFrom('on_call_roles')
    .select('id')
    .where('id', '=', roleId)
    .where('facility_id', '=', facilityId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (!found) throw invalidField('fallback_role_id', 'This is no on-call role of this facility.');
}
