import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Interpretation } from '../interpretation.ts';
import { Cursor, Day, Id, Instant, LimitQuery, Nothing, Page, Text } from '../values.ts';

export const LABORATORY_CODES_MAX = 500;
/** Why a result is set aside, or assigned although it names another patient. */
export const RESULT_REASON_MAX = 500;

/** How sure the laboratory is: HL7 table 0123, as FHIR calls it. */
export const LaboratoryStatus = z.enum(['preliminary', 'final', 'corrected', 'cancelled']);
export type LaboratoryStatus = z.infer<typeof LaboratoryStatus>;

const facilityParams = z.strictObject({ facility: Id });
const resultParams = z.strictObject({ facility: Id, result: Id });
const pageQuery = { cursor: z.optional(Cursor), limit: z.optional(LimitQuery) };

/** The patient as the laboratory names them. */
const NamedPatient = z.object({ name: z.string(), born_on: z.nullable(Day), identifiers: z.array(z.string()) });

/** A report that matched no chat, or several: it waits for a person. */
export const UnmatchedResult = z.object({
  id: Id,
  title: z.string(),
  status: LaboratoryStatus,
  laboratory: z.string(),
  /** The laboratory's own number of it (OBR-3), by which it is asked for. */
  number: z.string(),
  reported_at: Instant,
  received_at: Instant,
  patient: NamedPatient,
  findings: z.array(z.object({ label: z.string(), value: z.string(), interpretation: z.nullable(Interpretation) })),
  /** By the laboratory's flags or the facility's own limits. */
  is_critical: z.optional(z.boolean()),
  /** Why it matched none. */
  why: z.string(),
  state: z.enum(['unmatched', 'set_aside', 'filed']),
  version: z.int(),
  closed: z.nullable(
    z.object({ by: z.object({ user_id: Id, name: z.string() }), at: Instant, reason: z.nullable(z.string()) }),
  ),
});
export type UnmatchedResult = z.infer<typeof UnmatchedResult>;

export const listLaboratoryResults = endpoint({
  name: 'listLaboratoryResults',
  summary:
    'The laboratory results that matched no chat, or those that were set aside, the newest first, for those with results.assign; audited. Beside them the chats about a patient that I may write in.',
  method: 'GET',
  path: '/api/facilities/{facility}/laboratory-results',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ state: z.optional(z.enum(['unmatched', 'set_aside'])), ...pageQuery }),
  body: Nothing,
  status: 200,
  reply: z.extend(Page(UnmatchedResult), {
    /** 200 at most. */
    chats: z.array(
      z.object({ id: Id, patient: z.object({ name: z.string(), identifier: z.string(), born_on: z.nullable(Day) }) }),
    ),
  }),
});

export const assignLaboratoryResult = endpoint({
  name: 'assignLaboratoryResult',
  summary:
    'Puts a result that matched nobody into a chat about a patient, where I may write: what is critical in it calls people then. 422 where it names another patient and no reason is given.',
  method: 'POST',
  path: '/api/facilities/{facility}/laboratory-results/{result}/assign',
  access: 'signed-in',
  params: resultParams,
  query: Nothing,
  body: z.strictObject({
    version: z.int(),
    chat_id: Id,
    reason: z.optional(z.nullable(Text(1, RESULT_REASON_MAX))),
  }),
  status: 200,
  reply: z.object({ chat_id: Id, examination_id: Id }),
});

export const setAsideLaboratoryResult = endpoint({
  name: 'setAsideLaboratoryResult',
  summary: 'Takes a result off the list of those that wait, with a reason. It can still be assigned for 90 days.',
  method: 'POST',
  path: '/api/facilities/{facility}/laboratory-results/{result}/set-aside',
  access: 'signed-in',
  params: resultParams,
  query: Nothing,
  body: z.strictObject({ version: z.int(), reason: Text(1, RESULT_REASON_MAX) }),
  status: 200,
  reply: z.object({ version: z.int() }),
});

const Code = z.strictObject({
  code: Text(1, 60),
  loinc: z.string().check(z.trim(), z.regex(/^\d{1,7}-\d$/, 'A LOINC code, such as 2823-3.')),
});

/** How a facility hears its laboratory. */
export const LaboratoryFeed = z.object({
  version: z.int(),
  authority: z.nullable(z.string()),
  critical_role: z.nullable(z.object({ id: Id, name: z.string() })),
  codes: z.array(z.object({ code: z.string(), loinc: z.string() })),
  /** How many results wait, and how many of them are critical. */
  unmatched: z.int(),
  unmatched_critical: z.optional(z.int()),
  my: z.object({ can_change: z.boolean(), can_assign: z.boolean() }),
});
export type LaboratoryFeed = z.infer<typeof LaboratoryFeed>;

export const getLaboratoryFeed = endpoint({
  name: 'getLaboratoryFeed',
  summary: 'How a facility hears its laboratory, for those with results.assign or facility.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/laboratory-feed',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: LaboratoryFeed,
});

export const setLaboratoryFeed = endpoint({
  name: 'setLaboratoryFeed',
  summary:
    'Says whose patient numbers count, whom a critical result calls where no role of the unit does, and which LOINC codes the laboratory’s own codes are. 409 where somebody changed it meanwhile.',
  method: 'PUT',
  path: '/api/facilities/{facility}/laboratory-feed',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({
    version: z.int(),
    authority: z.nullable(Text(1, 60)),
    critical_role_id: z.nullable(Id),
    codes: z.array(Code).check(z.maxLength(LABORATORY_CODES_MAX, `At most ${LABORATORY_CODES_MAX} codes.`)),
  }),
  status: 200,
  reply: LaboratoryFeed,
});

/** A message that was taken, with nothing of a patient. */
export const LaboratoryMessage = z.object({
  id: Id,
  control_id: z.string(),
  sender: z.nullable(z.string()),
  received_at: Instant,
  reports: z.int(),
  filed: z.int(),
  unmatched: z.int(),
  set_aside: z.int(),
  /** Older than what stood already, or replaced by a newer one before anybody assigned it. */
  outdated: z.int(),
});
export type LaboratoryMessage = z.infer<typeof LaboratoryMessage>;

export const listLaboratoryMessages = endpoint({
  name: 'listLaboratoryMessages',
  summary:
    'The messages of the laboratory that were taken and what became of their reports, the newest first, for those with results.assign or facility.manage.',
  method: 'GET',
  path: '/api/facilities/{facility}/laboratory-messages',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject(pageQuery),
  body: Nothing,
  status: 200,
  reply: Page(LaboratoryMessage),
});

export const laboratoryEndpoints = [
  listLaboratoryResults,
  assignLaboratoryResult,
  setAsideLaboratoryResult,
  getLaboratoryFeed,
  setLaboratoryFeed,
  listLaboratoryMessages,
] as const;
