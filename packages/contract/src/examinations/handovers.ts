import * as z from 'zod/mini';
import { Patient } from '../chat/chat.ts';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';

export const HANDOVER_LINES_MAX = 100;
export const HANDOVER_LINE_MAX = 1000;
export const HANDOVER_ACTIONS_MAX = 30;
export const HANDOVER_ACTION_MAX = 300;
export const HANDOVER_OWNER_MAX = 120;
/** Of a synthesis, and of why one is declined, withdrawn or corrected. */
export const HANDOVER_TEXT_MAX = 2000;
export const HANDOVER_VERSIONS_MAX = 20;

export const HandoverFormat = z.enum(['ipass', 'sbar']);
export type HandoverFormat = z.infer<typeof HandoverFormat>;

export const HandoverSection = z.enum([
  ...(['situation', 'background', 'assessment', 'recommendation'] as const),
  ...(['summary', 'awareness'] as const),
]);
export type HandoverSection = z.infer<typeof HandoverSection>;

/** Which parts a sheet has, in their order; severity and actions stand beside them. */
export const HANDOVER_SECTIONS: Readonly<Record<HandoverFormat, readonly HandoverSection[]>> = {
  ipass: ['summary', 'awareness'],
  sbar: ['situation', 'background', 'assessment', 'recommendation'],
};

/** Given and not received yet; taken over with both signatures; refused by whom it was given to; taken back by who gave it. */
export const HANDOVER_STATES = ['given', 'received', 'declined', 'withdrawn'] as const;
export const HandoverState = z.enum(HANDOVER_STATES);
export type HandoverState = z.infer<typeof HandoverState>;

/** How ill the patient is, as I-PASS says it. */
export const HandoverSeverity = z.enum(['stable', 'watcher', 'unstable']);
export type HandoverSeverity = z.infer<typeof HandoverSeverity>;

const SourceRef = z.strictObject({ kind: z.enum(['examination', 'message']), id: Id });

/** Where in the chat something stands. */
const HandoverSource = z.object({
  kind: z.enum(['examination', 'message']),
  id: Id,
  /** Of a message. */
  seq: z.nullable(z.int()),
  /** Who said it, or which examination it is of. */
  label: z.string(),
  at: Instant,
});
export type HandoverSource = z.infer<typeof HandoverSource>;

/** What a sheet is drafted from: something that stands in the chat now, as a line says it. */
export const HandoverSuggestion = z.object({
  kind: z.enum(['news2', 'result', 'urgent', 'open_examination', 'pin', 'message']),
  text: z.string(),
  source: HandoverSource,
});
export type HandoverSuggestion = z.infer<typeof HandoverSuggestion>;

const LineInput = z.strictObject({
  section: HandoverSection,
  text: Text(1, HANDOVER_LINE_MAX),
  /** What it was taken from; left out of what was written from nothing. */
  source: z.optional(z.nullable(SourceRef)),
  /** It says exactly what stands there: the server compares it. What was edited is its writer's own. */
  is_quoted: z.optional(z.boolean()),
});

const ActionInput = z.strictObject({
  /** Kept over corrections: what was done stays done. */
  id: Id,
  text: Text(1, HANDOVER_ACTION_MAX),
  owner: Text(0, HANDOVER_OWNER_MAX),
  due_at: z.nullable(Instant),
});
export type HandoverAction = z.infer<typeof ActionInput>;

const SheetInput = z
  .strictObject({
    format: HandoverFormat,
    severity: z.nullable(HandoverSeverity),
    lines: z.array(LineInput).check(z.minLength(1, 'Write something first.'), z.maxLength(HANDOVER_LINES_MAX)),
    actions: z.array(ActionInput).check(z.maxLength(HANDOVER_ACTIONS_MAX)),
  })
  .check(
    z.refine(({ format, severity }) => format !== 'ipass' || severity !== null, {
      error: 'Choose how ill the patient is.',
      path: ['severity'],
    }),
    z.refine(({ format, lines }) => lines.every(({ section }) => HANDOVER_SECTIONS[format].includes(section)), {
      error: 'A line stands in a part that this sheet does not have.',
      path: ['lines'],
    }),
    z.refine(({ actions }) => new Set(actions.map(({ id }) => id)).size === actions.length, {
      error: 'Each action stands once.',
      path: ['actions'],
    }),
  );
export type HandoverSheetInput = z.infer<typeof SheetInput>;

/** One person, by name or as who holds an on-call role now. */
const Receiver = z.strictObject({ user_id: z.nullable(Id), role_id: z.nullable(Id) }).check(
  z.refine(({ user_id, role_id }) => (user_id === null) !== (role_id === null), {
    error: 'Choose whom you hand over to.',
  }),
);

const Signer = z.object({ user_id: Id, name: z.string(), title: z.nullable(z.string()) });
export type HandoverSigner = z.infer<typeof Signer>;
const Signature = z.object({ by: Signer, at: Instant });

const HandoverLine = z.object({
  section: HandoverSection,
  text: z.string(),
  source: z.nullable(HandoverSource),
  is_quoted: z.boolean(),
});
export type HandoverLine = z.infer<typeof HandoverLine>;

/** A sheet as it was signed; it never changes. */
export const HandoverVersion = z.object({
  version: z.int(),
  format: HandoverFormat,
  severity: z.nullable(HandoverSeverity),
  patient: z.nullable(Patient),
  lines: z.array(HandoverLine),
  actions: z.array(ActionInput),
  to: Signer,
  /** The on-call role that it was given to. */
  role: z.nullable(z.string()),
  /** Once it is received the chat is marked as handed over, and who received it manages it. */
  hands_over_chat: z.boolean(),
  /** Why it was corrected; null of the first. */
  reason: z.nullable(z.string()),
  given: Signature,
  /** Of what was signed, in hexadecimal. */
  sha256: z.string(),
  /** The receiver's signature, with what they understood in their own words. */
  receipt: z.nullable(z.extend(Signature, { synthesis: z.string(), sha256: z.string() })),
});
export type HandoverVersion = z.infer<typeof HandoverVersion>;

/** A hand-over as its card in the chat shows it. */
export const HandoverSummary = z.object({
  id: Id,
  chat_id: Id,
  facility_id: Id,
  format: HandoverFormat,
  state: HandoverState,
  /** Grows with every change of state. */
  version: z.int(),
  /** Of its sheet, from 1. */
  sheet_version: z.int(),
  severity: z.nullable(HandoverSeverity),
  from: z.string(),
  to: z.string(),
  role: z.nullable(z.string()),
  given_at: Instant,
  actions: z.int(),
  open_actions: z.int(),
});
export type HandoverSummary = z.infer<typeof HandoverSummary>;

export const Handover = z.extend(HandoverSummary, {
  /** The newest first. */
  versions: z.array(HandoverVersion),
  /** Actions of the newest sheet that are done. */
  done: z.array(z.object({ action_id: Id, by: Signer, at: Instant })),
  /** Why it was declined or withdrawn. */
  ended: z.nullable(z.extend(Signature, { reason: z.string() })),
  my: z.object({
    can_receive: z.boolean(),
    can_withdraw: z.boolean(),
    can_correct: z.boolean(),
    can_tick: z.boolean(),
    /** May add whom it is given to, and hand the chat over with it. */
    can_manage: z.boolean(),
  }),
});
export type Handover = z.infer<typeof Handover>;

/** One that waits for me. */
export const WaitingHandover = z.object({
  id: Id,
  chat_id: Id,
  facility_id: Id,
  format: HandoverFormat,
  severity: z.nullable(HandoverSeverity),
  patient: z.object({ name: z.string(), identifier: z.string() }),
  from: z.string(),
  role: z.nullable(z.string()),
  given_at: Instant,
});
export type WaitingHandover = z.infer<typeof WaitingHandover>;

/**
 * How far a patient is at the end of a shift: nobody has given a hand-over since it began; one was declined; one waits to be received;
 * one was received.
 */
export const HandoverStanding = z.enum(['none', 'declined', 'waiting', 'received']);
export type HandoverStanding = z.infer<typeof HandoverStanding>;

/** A patient on the hand-over list of a unit. */
export const HandoverListRow = z.object({
  chat_id: Id,
  facility_id: Id,
  patient: Patient,
  standing: HandoverStanding,
  /** The newest that was not withdrawn, also of a shift before. */
  handover: z.nullable(HandoverSummary),
  /** What of it is still to be done. */
  to_do: z.array(ActionInput),
  /** Urgent messages and critical results that are not over, of those that I may read. */
  urgent: z.int(),
  critical: z.int(),
  /** I write in the chat, so I can hand the patient over. */
  can_give: z.boolean(),
});
export type HandoverListRow = z.infer<typeof HandoverListRow>;

/** A unit in which I have patients, by their beds; null stands for beds that fit no unit, and for patients without one. */
export const HandoverListUnit = z.object({
  unit: z.nullable(z.object({ id: Id, name: z.string(), code: z.string() })),
  patients: z.int(),
  /** Of them without a hand-over since the shift began, or with one that was declined. */
  without: z.int(),
  waiting: z.int(),
});
export type HandoverListUnit = z.infer<typeof HandoverListUnit>;

/** A shift of the facility that has begun, by its name. */
const BegunShift = z.object({ name: z.string(), since: Instant });
export type BegunShift = z.infer<typeof BegunShift>;

/** For patients whose bed fits no unit. */
export const NO_UNIT = 'none';
const UnitOfList = z.union([Id, z.literal(NO_UNIT)]);

const facilityParams = z.strictObject({ facility: Id });
const chatParams = z.strictObject({ chat: Id });
const handoverParams = z.strictObject({ handover: Id });
const pageQuery = z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) });
const given = { sheet: SheetInput, to: Receiver, hands_over_chat: z.boolean() };

export const listHandoverSuggestions = endpoint({
  name: 'listHandoverSuggestions',
  summary:
    'What a hand-over of a chat can be drafted from: abnormal results, NEWS2, open examinations, urgent, pinned and last messages, each with where it stands.',
  method: 'GET',
  path: '/api/chats/{chat}/handover-suggestions',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ patient: z.nullable(Patient), suggestions: z.array(HandoverSuggestion), can_manage: z.boolean() }),
});

export const giveHandover = endpoint({
  name: 'giveHandover',
  summary:
    'Signs a sheet and gives it to one person. Lines that quote the chat must say what stands there (422). The same client_id again returns the one that exists.',
  method: 'POST',
  path: '/api/chats/{chat}/handovers',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({ client_id: Id, ...given }),
  status: 201,
  reply: Handover,
});

export const listHandovers = endpoint({
  name: 'listHandovers',
  summary: 'The hand-overs of a chat, the newest first.',
  method: 'GET',
  path: '/api/chats/{chat}/handovers',
  access: 'signed-in',
  params: chatParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(HandoverSummary),
});

export const listWaitingHandovers = endpoint({
  name: 'listWaitingHandovers',
  summary: 'Hand-overs that wait for me over all my facilities, the longest waiting first.',
  method: 'GET',
  path: '/api/waiting-handovers',
  access: 'signed-in',
  params: Nothing,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(WaitingHandover),
});

export const getHandover = endpoint({
  name: 'getHandover',
  summary: 'One hand-over with all versions of its sheet and both signatures of each.',
  method: 'GET',
  path: '/api/handovers/{handover}',
  access: 'signed-in',
  params: handoverParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Handover,
});

export const moveHandover = endpoint({
  name: 'moveHandover',
  summary:
    'Receives a hand-over, which signs what was understood (text); or declines or withdraws it, which says why. 409 when expected_version is stale or the state allows no such move.',
  method: 'POST',
  path: '/api/handovers/{handover}/transitions',
  access: 'signed-in',
  params: handoverParams,
  query: Nothing,
  body: z.strictObject({
    event: z.enum(['receive', 'decline', 'withdraw']),
    expected_version: z.int(),
    text: Text(1, HANDOVER_TEXT_MAX),
  }),
  status: 200,
  reply: Handover,
});

export const correctHandover = endpoint({
  name: 'correctHandover',
  summary:
    'Signs the next version of a sheet with a reason, perhaps for somebody else; it is to be received anew. 409 when expected_version is stale.',
  method: 'POST',
  path: '/api/handovers/{handover}/versions',
  access: 'signed-in',
  params: handoverParams,
  query: Nothing,
  body: z.strictObject({ expected_version: z.int(), reason: Text(1, HANDOVER_TEXT_MAX), ...given }),
  status: 201,
  reply: Handover,
});

export const setHandoverAction = endpoint({
  name: 'setHandoverAction',
  summary: 'Says that an action of a received hand-over is done, or not after all. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/handovers/{handover}/actions/{action}',
  access: 'signed-in',
  params: z.strictObject({ handover: Id, action: Id }),
  query: Nothing,
  body: z.strictObject({ is_done: z.boolean() }),
  status: 200,
  reply: Handover,
});

export const noteHandoverPrint = endpoint({
  name: 'noteHandoverPrint',
  summary: 'Notes in the audit that a hand-over was printed.',
  method: 'POST',
  path: '/api/handovers/{handover}/prints',
  access: 'signed-in',
  params: handoverParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const exportHandover = endpoint({
  name: 'exportHandover',
  summary:
    'A hand-over as a FHIR R4 Bundle: the sheet that stands as a Composition with both signatures, what is to be done as Tasks, and who signed each version; audited.',
  method: 'GET',
  path: '/api/handovers/{handover}/fhir',
  access: 'signed-in',
  params: handoverParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

export const listUnitHandovers = endpoint({
  name: 'listUnitHandovers',
  summary:
    'The hand-over list of a unit at the end of a shift: my patients there by bed, each with the newest hand-over, what is still to be done and what is urgent. Without a unit that of my on-call role, else the first in which I have patients; without since from when the shift of now began.',
  method: 'GET',
  path: '/api/facilities/{facility}/handover-list',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({
    unit: z.optional(UnitOfList),
    since: z.optional(Instant),
    cursor: z.optional(Cursor),
    limit: z.optional(LimitQuery),
  }),
  body: Nothing,
  status: 200,
  reply: z.extend(Page(HandoverListRow), {
    /** Whose list this is; null for patients whose bed fits no unit. */
    unit_id: z.nullable(Id),
    since: Instant,
    /** From when the list is. */
    at: Instant,
    /** Those in which I have patients, in their order; what fits none stands last. */
    units: z.array(HandoverListUnit),
    /** The facility's last shifts, that of now first; a back end may leave them out. */
    shifts: z._default(z.array(BegunShift), []),
  }),
});

export const noteHandoverListPrint = endpoint({
  name: 'noteHandoverListPrint',
  summary: 'Notes in the audit that the hand-over list of a unit was printed, and of which patients.',
  method: 'POST',
  path: '/api/facilities/{facility}/handover-list/prints',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ unit: UnitOfList, since: Instant }),
  status: 204,
  reply: NoContent,
});

export const handoverEndpoints = [
  listHandoverSuggestions,
  giveHandover,
  listHandovers,
  listWaitingHandovers,
  getHandover,
  moveHandover,
  correctHandover,
  setHandoverAction,
  noteHandoverPrint,
  exportHandover,
  listUnitHandovers,
  noteHandoverListPrint,
] as const;
