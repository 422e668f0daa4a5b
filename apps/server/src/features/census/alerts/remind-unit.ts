import { isHandedIn } from '@wardline/census/states.ts';
import type * as contract from '@wardline/contract/census/board.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { appendAfter, lockHead, loggedUnit } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import { censusChanged } from '#/features/census/core/change-events.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { findUnitDiscussion, findUnitPeople } from '#/features/census/core/discussion-queries.ts';
import { newFacilityDay } from '#/features/census/core/facility-day-clock.ts';
import { formatDay, formatReport } from '#/features/census/core/labels.ts';
import { signDay } from '#/features/census/core/policy.ts';
import { requireFacilityAgain, requireFacilityFor } from '#/features/census/core/require-facility.ts';
import { sayOfReport } from '#/features/census/core/unit-discussion.ts';
import { findUnitsOfDay, type UnitOfDayRow } from '#/features/census/day/facility-day-queries.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';

type Endpoint = typeof contract.remindUnit;

interface Input {
  readonly params: ParamsOf<Endpoint>;
  readonly body: BodyOf<Endpoint>;
}

const WAIT_MS = 10 * 60_000;

/** Asks those who report for a unit, in the discussion of the report; at most every ten minutes. */
export function remindUnit({ discussions }: Pick<CensusDeps, 'discussions'>) {
  return async (ctx: RequestContext, { params, body }: Input): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, date } = params;
    const { actor } = ctx;
    const place = await requireFacilityFor(ctx, { facilityId, date }, signDay);
    return ctx.write('census.reminder.send', async (tx) => {
      const day = { facilityNo: place.facility_no, date };
      const head = await lockHead(tx, place.facility_no);
      await requireFacilityAgain({ tx, actor }, { facilityId, date }, signDay);
      const unit = owedReport(await findUnitsOfDay(tx, day), { place, date, body });
      const now = new Date();
      const report = { ...unit, facility_id: facilityId, date, date_order: place.date_order };
      mustHaveWaited(await findUnitDiscussion(tx, { unitNo: unit.unit_no, date, population: unit.population }), now);
      const people = [...(await findUnitPeople(tx, [unit.unit_no])), actor.userId];
      const text = `asks for the report of ${formatReport(unit)} for ${formatDay(date, place)}`;
      const line = { people, by: { userId: actor.userId, name: actor.name }, body: text, remindedAt: now };
      const { chatId, publish } = await sayOfReport(tx, discussions, { report, line });
      await appendAfter(tx, head, {
        facilityNo: place.facility_no,
        author: authorOf(ctx, facilityId),
        entries: [{ action: 'reminder.send', unit: loggedUnit(unit), date, population: unit.population }],
      });
      return {
        result: { discussion_chat_id: chatId },
        audit: {
          facilityId,
          objectType: 'unit',
          objectId: unit.unit_id,
          detail: { date, population: unit.population, chat: chatId },
        },
        publish: [...publish, ...censusChanged(facilityId, [{ dates: [date], unitId: unit.unit_id }])],
      };
    });
  };
}

interface Wanted {
  readonly place: FacilityConfig;
  readonly date: string;
  readonly body: BodyOf<Endpoint>;
}

/** The unit's report, which is expected, due or nearly, and not handed in. */
function owedReport(units: readonly UnitOfDayRow[], { place, date, body }: Wanted): UnitOfDayRow {
  const unit = units.find((row) => row.unit_id === body.unit_id && row.population === body.population);
  if (!unit) throw invalidField('unit_id', 'This unit does not report on this day.');
  if (isHandedIn(unit.status)) {
    const message = `${formatReport(unit)} has handed in its report.`;
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message });
  }
  if (newFacilityDay(place, date).censusAt > new Date()) {
    throw brokenRule({ code: 'NOT_YET_DUE', field: null, message: 'The census of this day is not taken yet.' });
  }
  return unit;
}

function mustHaveWaited(discussion: { lastRemindedAt: Date | null } | undefined, now: Date): void {
  const next = (discussion?.lastRemindedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + WAIT_MS;
  if (next <= now.getTime()) return;
  throw new AppError('too_many_requests', {
    message: 'They were reminded a moment ago.',
    retryAfterS: Math.ceil((next - now.getTime()) / 1000),
  });
}
