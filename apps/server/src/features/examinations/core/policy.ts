import { hasPermission, membershipIn } from '#/platform/http/actor.ts';
import { action } from '#/platform/http/authorization/authorize.ts';
import type { OpenedChat } from './deps.ts';

/** The forms of a facility say nothing of any patient. */
export const seeTemplates = action<{ readonly facilityId: string }>(
  'examination.templates.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** Writes, publishes and retires the forms of a facility, and hands them to another. */
export const manageForms = action<{ readonly facilityId: string }>(
  'examination.forms.manage',
  (actor, { facilityId }) => hasPermission(actor, facilityId, 'facility.manage'),
);

/** Enters values, asks for examinations, begins, returns and cancels them: where one may write in the chat. */
export const writeExamination = action<OpenedChat>(
  'examination.write',
  (actor, chat) => chat.canWrite && hasPermission(actor, chat.facilityId, 'examinations.write'),
);

/** Signs a report, and amends it. */
export const signExamination = action<OpenedChat>(
  'examination.sign',
  (actor, chat) => chat.canWrite && hasPermission(actor, chat.facilityId, 'examinations.sign'),
);

/** Strikes one through for all; also in a chat that is over: a wrong report is wrong there too. */
export const markInError = action<OpenedChat>(
  'examination.mark_in_error',
  (actor, chat) => chat.canManage && hasPermission(actor, chat.facilityId, 'examinations.sign'),
);

interface InFacility {
  readonly facilityId: string;
}

/** To others there is no such facility. */
export const seeLaboratory = action<InFacility>(
  'laboratory.see',
  (actor, { facilityId }) => membershipIn(actor, facilityId) !== undefined,
);

/** Reads the results that matched no chat, and says where they belong. */
export const assignResults = action<InFacility>('results.assign', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'results.assign'),
);

/** Says how the facility hears its laboratory. */
export const changeLaboratory = action<InFacility>('laboratory.change', (actor, { facilityId }) =>
  hasPermission(actor, facilityId, 'facility.manage'),
);

/** Looks at what came, and how it is heard. */
export const openLaboratory = action<InFacility>(
  'laboratory.open',
  (actor, place) => assignResults.allows(actor, place) || changeLaboratory.allows(actor, place),
);
