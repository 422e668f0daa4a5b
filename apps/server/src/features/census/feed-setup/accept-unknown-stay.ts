import { addDays, censusInstant } from '@wardline/census/calendar.ts';
import type { acceptUnknownStay as endpoint } from '@wardline/contract/census/feed.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendLog, type LoggedUnit } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule } from '#/features/census/core/broken-rules.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { findLoggedUnits } from '#/features/census/hl7/feed-queries.ts';
import { proposeCorrections } from '#/features/census/hl7/propose-corrections.ts';
import { openFeed } from '#/features/census/hl7/receive-hl7.ts';
import { recount } from '#/features/census/hl7/recount-visit.ts';
import { IN_BEFORE } from '#/features/census/hl7/replay.ts';
import type { UnknownStayRow } from '#/features/census/hl7/unknown-stays.ts';
import { insertEvent } from '#/features/census/hl7/visit-queries.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { decideUnknownStay } from './decide-unknown-stay.ts';

type Endpoint = typeof endpoint;
type Body = InputOf<Endpoint>['body'];

/** Says that somebody was in, so that their move or discharge counts. */
export function acceptUnknownStay(secret: Buffer) {
  return (ctx: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> =>
    decideUnknownStay(ctx, {
      ...{ endpoint: 'acceptUnknownStay', action: 'stay.accept', params, body },
      async act(tx, place, stay) {
        const { facility_no: facilityNo } = place;
        const unit = await unitOf(tx, { facilityNo, stay, body });
        const at = admittedAt(place, stay, body);
        const author = authorOf(ctx, params.facility);
        const closed = { closed_at: sql<Date>`now()`, closed_by: ctx.actor.userId, version: sql<number>`version + 1` };
        await tx
          .updateTable('adt_unknown_stays')
          .set({ ...closed, state: 'taken', unit_no: unit.unitNo })
          .where('id', '=', stay.id)
          .execute();
        const known = await insertEvent(tx, {
          ...{ facilityNo, visitKey: stay.visit_key, controlId: `accepted ${stay.id}`, trigger: IN_BEFORE, at },
          ...{
            unitNo: unit.unitNo,
            population: stay.population,
            isBirth: stay.population === 'newborn',
            isDeath: false,
          },
        });
        const feed = await openFeed(tx, { place, secret, author });
        const told = known ? await recount(tx, feed, known) : [];
        const entry = {
          action: 'stay.accept',
          unit,
          date: stay.census_date,
          population: stay.population,
          after: { event: stay.kind },
        } as const;
        await appendLog(tx, { facilityNo, author, entries: [entry] });
        const proposals = await proposeCorrections(tx, feed, told);
        return [
          ...told.flatMap(({ touched }) => touched.map(({ date }) => date)),
          ...proposals.map(({ date }) => date),
        ];
      },
    });
}

async function unitOf(
  tx: Transaction,
  { facilityNo, stay, body }: { facilityNo: number; stay: UnknownStayRow; body: Body },
): Promise<LoggedUnit> {
  const units = await findLoggedUnits(tx, facilityNo);
  const unit =
    stay.unit_no === null ? [...units.values()].find(({ unitId }) => unitId === body.unit_id) : units.get(stay.unit_no);
  if (unit) return unit;
  throw brokenRule({ code: 'MISSING_VALUE', field: 'unit_id', message: 'Choose the unit where the patient was.' });
}

/** Without a time they were in before the patient system counted: no report then counts the admission. */
function admittedAt(place: FacilityConfig, stay: UnknownStayRow, { admitted_at: given }: Body): Date {
  const from = place.feed_live_from ?? stay.census_date;
  const before = new Date(censusInstant(addDays(from, -1), place).getTime() - 60_000);
  const at = given === undefined ? before : new Date(given);
  if (at < new Date(stay.at)) return at;
  const message = 'They were admitted before they were moved or discharged.';
  throw brokenRule({ code: 'UNBALANCED', field: 'admitted_at', message });
}
