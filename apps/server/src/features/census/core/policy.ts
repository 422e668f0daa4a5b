import type { Permission } from '@wardline/contract/permissions.ts';
import { type Actor, hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';

interface InFacility {
  readonly facilityId: string;
}

/** A facility, and which acts ask for their own permission there. */
interface Splitting extends InFacility {
  readonly splitPermissions: readonly string[];
}

/** A unit, and whether the person is one of those who report for it. */
interface Assigned extends InFacility {
  readonly isAssigned: boolean;
}

/** To know that the facility has a census at all. */
export const belongTo = action<InFacility>(
  'census.belong',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

export const seeBoard = action<InFacility>('census.see_board', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.view'),
);

/** Every unit day by day: a picture of the board, and of the summary. */
export const seeUnitDays = action<InFacility>('census.see_unit_days', (actor, thing) =>
  [seeBoard, seeSummary].some((page) => page.allows(actor, thing)),
);

/** Who reports for a unit reads its reports without the board's permission. */
export const seeUnit = action<Assigned>(
  'census.see_unit',
  (actor, thing) =>
    reportUnit.allows(actor, thing) ||
    hasPermission(actor, thing.facilityId, 'census.view') ||
    hasPermission(actor, thing.facilityId, 'census.report_summary'),
);

export const reportUnit = action<Assigned>(
  'census.report_unit',
  (actor, { facilityId, isAssigned }) => isAssigned && hasPermission(actor, facilityId, 'census.report_units'),
);

export const seeSummary = action<InFacility>('census.see_summary', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.report_summary'),
);

/** What nurses worked in a unit is told by who reports for it, or by who compiles the facility. */
export const enterNursingHours = action<Assigned>(
  'census.enter_nursing_hours',
  (actor, thing) => reportUnit.allows(actor, thing) || seeSummary.allows(actor, thing),
);

/** Of which units is another question: of all with the summary, else of those that one reports for. */
export const listNursingHours = action<InFacility>(
  'census.list_nursing_hours',
  (actor, { facilityId }) =>
    hasPermission(actor, facilityId, 'census.report_units') ||
    hasPermission(actor, facilityId, 'census.report_summary'),
);

/** Saying what is taken to be in a unit that is missing: whoever compiles the facility. */
export const estimateReports = action<InFacility>('census.estimate', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.report_summary'),
);

/** Compiling and signing the day of a facility. */
export const signDay = action<InFacility>('census.sign', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.report_summary'),
);

export const readLog = action<InFacility>('census.read_log', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.logs'),
);

export const approveReports = action<Splitting>('census.approve', (actor, thing) =>
  maySplit(actor, thing, 'census.approve'),
);
export const reopenDays = action<Splitting>('census.reopen', (actor, thing) => maySplit(actor, thing, 'census.reopen'));
/** Falls to nobody with the summary: they are whom four eyes and deadlines hold. */
export const configure = action<InFacility>('census.configure', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.configure'),
);
export const exportData = action<Splitting>('census.export', (actor, thing) => maySplit(actor, thing, 'census.export'));
export const importData = action<Splitting>('census.import', (actor, thing) => maySplit(actor, thing, 'census.import'));

/** A machine's right: it hands messages in and can approve nothing. */
export const feedMessages = action<InFacility>('census.feed', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'census.feed'),
);

/** Any of the four pages of this facility. */
export const subscribe = action<InFacility>('census.hear', (actor, { facilityId }) =>
  (['census.view', 'census.report_units', 'census.report_summary', 'census.logs'] as const).some((permission) =>
    hasPermission(actor, facilityId, permission),
  ),
);

/** A permission of its own, which report_summary stands for until the facility splits it off. */
function maySplit(actor: Actor, { facilityId, splitPermissions }: Splitting, permission: Permission): boolean {
  if (hasPermission(actor, facilityId, permission)) return true;
  return !splitPermissions.includes(permission) && hasPermission(actor, facilityId, 'census.report_summary');
}
