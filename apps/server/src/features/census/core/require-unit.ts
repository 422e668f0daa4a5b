import { existsIn, isCalendarDate } from '@wardline/census/calendar.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { brokenRule } from './broken-rules.ts';
import { findUnitPlace, type UnitConfig } from './config-queries.ts';
import { belongTo } from './policy.ts';

interface Question {
  readonly actor: Actor;
  readonly unitId: string;
  readonly date: string;
}

/** Before and after these the arithmetic of days has nothing to stand on. */
const FIRST_DATE = '1900-01-02';
const LAST_DATE = '9998-12-31';

/** What a policy needs to know of a unit. */
export function unitSubject(place: UnitConfig) {
  return {
    facilityId: place.facility_id,
    isAssigned: place.is_assigned,
    splitPermissions: place.split_permissions,
  };
}

/** The unit on the clock of a date, for somebody of its facility: a stranger learns nothing, what is no date is refused (CEN-R15). */
export async function requireUnitOn(
  db: RequestContext['db'] | Transaction,
  { actor, unitId, date }: Question,
): Promise<UnitConfig> {
  const isDate = isCalendarDate(date) && date >= FIRST_DATE && date <= LAST_DATE;
  const place = await findUnitPlace(db, { unitId, date: isDate ? date : FIRST_DATE, userId: actor.userId });
  if (!place) throw new AppError('not_found');
  authorizeToKnow(actor, belongTo, { facilityId: place.facility_id });
  if (!isDate || !existsIn(date, place.time_zone)) {
    throw brokenRule({
      code: 'NO_SUCH_DATE',
      field: 'date',
      message: `${date} is not in this facility’s calendar.`,
    });
  }
  return place;
}
