import type * as contract from '@wardline/contract/census/board.ts';
import type { ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendLog, type LogAuthor, lockHead } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { findFacilityChat } from '#/features/census/core/discussion-queries.ts';
import { seeBoard } from '#/features/census/core/policy.ts';
import { requireRight } from '#/features/census/core/require-facility.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { actorNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { type AlertRow, findAlert, serializeAlert } from './alert-queries.ts';

type Endpoint = typeof contract.acknowledgeAlert;

/** Says that somebody takes care of it, in the chat of the alerts too. The first one stands: to acknowledge again changes nothing. */
export function acknowledgeAlert({ discussions }: Pick<CensusDeps, 'discussions'>) {
  return async (ctx: RequestContext, { params }: { params: ParamsOf<Endpoint> }): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, alert: alertId } = params;
    const { actor } = ctx;
    requireRight(actor, facilityId, seeBoard);
    return ctx.write('census.alert.acknowledge', async (tx) => {
      const before = await findAlert(tx, { facilityId, alertId });
      if (!before) throw new AppError('not_found');
      await lockHead(tx, before.facility_no);
      requireRight(await actorNow(tx, actor, facilityId), facilityId, seeBoard);
      const isFirst = await storeAcknowledgement(tx, { alertId, userId: actor.userId });
      const result = serializeAlert((await findAlert(tx, { facilityId, alertId })) ?? before);
      if (!isFirst) return { result, audit: null };
      await logAcknowledgement(tx, { alert: before, author: authorOf(ctx, facilityId) });
      const by = { userId: actor.userId, name: actor.name };
      return {
        result,
        audit: { facilityId, objectType: 'census_alert', objectId: alertId, detail: { rule: before.rule } },
        publish: censusChanged(facilityId, [{ dates: [before.census_date], unitId: before.unit_id }]),
        publishToAll: await sayAcknowledged(tx, discussions, { alert: before, by }),
      };
    });
  };
}

async function logAcknowledgement(
  tx: Transaction,
  { alert, author }: { alert: AlertRow; author: LogAuthor },
): Promise<void> {
  const { facility_no: facilityNo, unit_no: unitNo, unit_id: unitId, unit_code: unitCode, census_date: date } = alert;
  const unit = unitNo !== null && unitId !== null && unitCode !== null ? { unit: { unitNo, unitId, unitCode } } : {};
  const about = { ...unit, date, ...(alert.population && { population: alert.population }) };
  const after = { rule: alert.rule, message: alert.message };
  await appendLog(tx, { facilityNo, author, entries: [{ action: 'alert.acknowledge', ...about, after }] });
}

interface Acknowledged {
  readonly alert: AlertRow;
  readonly by: { readonly userId: string; readonly name: string };
}

/** Only where the alerts are talked about: nobody is taken in for it, and no discussion is opened. */
async function sayAcknowledged(tx: Transaction, discussions: CensusDeps['discussions'], { alert, by }: Acknowledged) {
  const { facilityId, chatId } = await findFacilityChat(tx, alert.facility_no);
  if (chatId === null) return [];
  const body = `acknowledged the alert: ${alert.message}`;
  return (await discussions.say(tx, { facilityId, chatId, title: 'Census', people: [], by, body })).publish;
}

/** False when somebody was faster. */
async function storeAcknowledgement(
  tx: DatabaseTransaction,
  { alertId, userId }: { alertId: string; userId: string },
): Promise<boolean> {
  const stored = await sql`
    update census_alerts set acknowledged_at = now(), acknowledged_by = ${userId}
    where id = ${alertId} and acknowledged_at is null returning 1`.execute(tx);
  return stored.rows.length > 0;
}
