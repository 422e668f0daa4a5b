import { toCounts } from '@wardline/census/balance.ts';
import { afterAct, isHandedIn } from '@wardline/census/states.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { withOwnDiscussion } from '#/features/census/core/discussion-queries.ts';
import { hasBegun } from '#/features/census/core/facility-day-clock.ts';
import { approveReports, reopenDays, reportUnit } from '#/features/census/core/policy.ts';
import { unitSubject } from '#/features/census/core/require-unit.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { findAmendment, findRestated } from './amendment.ts';
import { conditionsOf } from './conditions.ts';
import { correctionOf } from './correction.ts';
import type { Report } from './unit-day-queries.ts';
import { bedsOf, isExpected, isSigned, type UnitDayState } from './unit-day-state.ts';
import { findUsualRanges, standingConfirmed } from './usual-queries.ts';

interface Asked {
  readonly actor: Actor;
  readonly db: RequestContext['db'] | Transaction;
  readonly now: Date;
}

/** The report as one person sees it now. */
export async function serializeUnitDay({ actor, db, now }: Asked, unitDay: UnitDayState): Promise<UnitDay> {
  const day = buildUnitDay(unitDay, actor, now);
  // Who types is asked about what is unusual, also without a network: so it comes with the report.
  const usual = day.may.edit ? await findUsualRanges(db, unitDay.key) : null;
  const opening_correction = day.opening_from === null ? null : await correctionOf({ actor, db }, unitDay);
  const amendment = await findAmendment(db, unitDay);
  const restates = day.may.approve ? await findRestated(db, actor, unitDay) : null;
  return withOwnDiscussion({ actor, db }, { ...day, opening_correction, usual, amendment, restates });
}

function buildUnitDay(unitDay: UnitDayState, actor: Actor, now: Date): UnitDay {
  const { place, key, day, report, link } = unitDay;
  const status = report?.status ?? 'draft';
  return {
    facility_id: place.facility_id,
    unit_id: place.unit_id,
    unit_code: place.unit_code,
    unit_name: place.unit_name,
    census_date: key.date,
    population: key.population,
    status,
    conditions: conditionsOf(unitDay, now),
    source: report?.source ?? 'manual',
    version: report?.version ?? 0,
    saved_request: report?.saved_by === actor.userId ? report.saved_request : null,
    opening: report ? report.opening : (link?.closing ?? null),
    opening_from: report ? report.opening_from : (link?.census_date ?? null),
    ...figuresOf(report),
    asks_discharge_days: unitDay.place.asks_discharge_days,
    is_last_day: place.is_last_day,
    beds: bedsOf(unitDay),
    transfers: unitDay.transfers.map(({ partner_no, ...transfer }) => transfer),
    variance_reason: report?.variance_reason ?? null,
    variance_for: report?.variance_for ?? null,
    variance_by: report && person(report.variance_by, report.variance_by_name),
    counted_by: report && person(report.counted_by, report.counted_by_name),
    capacity_reason: report?.capacity_reason ?? null,
    note: report?.note ?? null,
    time_zone: day.time_zone,
    census_at: day.census_at.toISOString(),
    due_at: day.due_at.toISOString(),
    ...signaturesOf(report),
    last_reason: report?.last_reason ?? null,
    estimate: unitDay.estimate,
    discussion_chat_id: unitDay.discussionChatId,
    feed: unitDay.feed,
    proposal: unitDay.proposal,
    confirmed: standingConfirmed(report),
    may: mayOf(unitDay, actor, now),
  };
}

function figuresOf(report: Report | null): Pick<UnitDay, 'counts' | 'closing' | 'present' | 'service_days'> {
  const counts = toCounts(report);
  const closing = report?.closing ?? null;
  const present = closing === null || counts.on_leave === null ? null : closing - counts.on_leave;
  return { counts, closing, present, service_days: report?.service_days ?? null };
}

type Signatures = Pick<
  UnitDay,
  'submitted_at' | 'submitted_by' | 'is_reviewed' | 'is_on_time' | 'approved_at' | 'approved_by'
>;

/** Who handed it in is said while it is in, and where it was returned. */
function signaturesOf(report: Report | null): Signatures {
  const wasGiven = report !== null && (isHandedIn(report.status) || report.status === 'returned');
  return {
    submitted_at: wasGiven ? (report.submitted_at?.toISOString() ?? null) : null,
    submitted_by: wasGiven ? person(report.submitted_by, report.submitted_by_name) : null,
    is_reviewed: report?.status === 'submitted' && report.reviewed_at !== null,
    is_on_time: report?.is_on_time ?? null,
    approved_at: report?.approved_at?.toISOString() ?? null,
    approved_by: report ? person(report.approved_by, report.approved_by_name) : null,
  };
}

function person(id: string | null, name: string | null): { id: string; name: string } | null {
  return id === null || name === null ? null : { id, name };
}

function mayOf(unitDay: UnitDayState, actor: Actor, now: Date): UnitDay['may'] {
  const { place, report, day } = unitDay;
  const unit = unitSubject(place);
  const status = report?.status ?? 'draft';
  const isOpen = !isSigned(unitDay);
  const mayReport = can(actor, reportUnit, unit) && isOpen && isExpected(unitDay);
  const mayApprove = can(actor, approveReports, unit) && isOpen;
  const isOwn = report?.submitted_by === actor.userId;
  return {
    edit: mayReport && afterAct(status, 'save') !== null && hasBegun(place, unitDay.key.date, now),
    submit: mayReport && afterAct(status, 'submit') !== null && now >= day.census_at,
    withdraw: mayReport && status === 'submitted' && isOwn && report?.reviewed_at === null,
    return: mayApprove && status === 'submitted',
    approve: mayApprove && status === 'submitted' && !(place.four_eyes && isOwn),
    amend:
      isOpen &&
      ((status === 'approved' && can(actor, approveReports, unit)) ||
        (status === 'locked' && can(actor, reopenDays, unit))),
  };
}
