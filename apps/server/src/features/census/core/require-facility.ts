import { existsIn, isCalendarDate } from '@wardline/census/calendar.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { type Action, authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { actorNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { brokenRule } from './broken-rules.ts';
import { type FacilityConfig, findFacilityPlace } from './config-queries.ts';
import { belongTo } from './policy.ts';

/** What a policy needs to know of a facility. */
export interface FacilityContext {
  readonly facilityId: string;
  readonly splitPermissions: readonly string[];
}

export const toFacilityContext = (place: FacilityConfig): FacilityContext => ({
  facilityId: place.facility_id,
  splitPermissions: place.split_permissions,
});

interface Question {
  readonly facilityId: string;
  readonly date: string;
}

/** The last date of which everything can be asked; the calendar goes on, its arithmetic needs a day behind it. */
const LAST_DATE = '9998-12-31';

/** For one of the facility's people: a stranger learns nothing (404). */
function requireMember(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, belongTo, { facilityId });
}

/** For somebody who may do this in the facility: a stranger learns nothing (404), a member without the right 403. */
export function requireRight(actor: Actor, facilityId: string, wanted: Action<{ readonly facilityId: string }>): void {
  requireMember(actor, facilityId);
  authorize(actor, wanted, { facilityId });
}

/** A facility on the clock of a date, for one of its people; what is no date is refused (CEN-R15). */
export async function requireFacilityOn(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { facilityId, date }: Question,
): Promise<FacilityConfig> {
  requireMember(actor, facilityId);
  if (!isCalendarDate(date) || date > LAST_DATE) throw noSuchDate(date);
  const place = await findFacilityPlace(db, { facilityId, date });
  if (!place) throw new AppError('not_found');
  if (!existsIn(date, place.time_zone)) throw noSuchDate(date);
  return place;
}

/** The same on the clock that holds now. */
export function requireFacilityNow(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  facilityId: string,
): Promise<FacilityConfig> {
  return requireFacilityOn(ctx, { facilityId, date: dateOfNow() });
}

/** Which clock holds is asked for a date; the newest one is that of now. */
export function dateOfNow(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The same, for somebody who may do this there. */
export async function requireFacilityFor(
  ctx: Pick<RequestContext, 'actor' | 'db'>,
  question: Question,
  wanted: Action<FacilityContext>,
): Promise<FacilityConfig> {
  const place = await requireFacilityOn(ctx, question);
  authorize(ctx.actor, wanted, toFacilityContext(place));
  return place;
}

/** The same under a lock: while it was waited for the right may have ended or been split off, and the clock set. */
export async function requireFacilityAgain(
  { tx, actor }: { readonly tx: Transaction; readonly actor: Actor },
  question: Question,
  wanted: Action<FacilityContext>,
): Promise<FacilityConfig> {
  return requireFacilityFor({ actor: await actorNow(tx, actor, question.facilityId), db: tx }, question, wanted);
}

function noSuchDate(date: string): AppError {
  return brokenRule({ code: 'NO_SUCH_DATE', field: 'date', message: `${date} is not in this facility’s calendar.` });
}
