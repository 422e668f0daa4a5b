import * as z from 'zod/mini';
import { Attachment } from '../chat/attachments.ts';
import { Patient } from '../chat/chat.ts';
import { CriticalDecision, MadeDecision, PlacedCriticalAlert } from '../chat/critical.ts';
import { endpoint } from '../endpoint.ts';
import { Interpretation } from '../interpretation.ts';
import { Cursor, Id, Instant, LimitQuery, NoContent, Nothing, Page, Text } from '../values.ts';
import { ImportedFrom } from './imports.ts';
import { REGIONS_MAX, Region } from './regions.ts';

export const EXAMINATION_TYPES = ['imaging', 'laboratory', 'vital_signs', 'physical', 'ecg', 'consultation'] as const;
export const EXAMINATION_VALUE_MAX = 4000;

export const EXAMINATION_STATES = [
  'draft',
  'requested',
  'in_progress',
  'reported',
  'amended',
  'cancelled',
  'entered_in_error',
] as const;
export const ExaminationState = z.enum(EXAMINATION_STATES);
export type ExaminationState = z.infer<typeof ExaminationState>;

/** Against the examination before it. */
export const Comparison = z.enum(['new', 'stable', 'worse', 'better']);
export type Comparison = z.infer<typeof Comparison>;

/** Which reference range holds; null where nobody said it. */
export const PatientSex = z.enum(['female', 'male']);
export type PatientSex = z.infer<typeof PatientSex>;

/** Days, months or years, as UCUM writes them. */
const Age = z.object({ value: z.int(), unit: z.enum(['d', 'mo', 'a']) });

/**
 * For whom, and between which values something is normal; the limits are normal themselves. From a critical limit on, the limit
 * included, a value is critical. Numbers are text as it is typed: no binary fraction is ever formed.
 */
export const ReferenceRange = z.object({
  sex: z.optional(PatientSex),
  /** From this age on, and until the other is reached. */
  age_from: z.optional(Age),
  age_to: z.optional(Age),
  low: z.optional(z.string()),
  high: z.optional(z.string()),
  critical_low: z.optional(z.string()),
  critical_high: z.optional(z.string()),
});
export type ReferenceRange = z.infer<typeof ReferenceRange>;

export const TemplateOption = z.object({
  code: z.string(),
  label: z.string(),
  interpretation: z.optional(Interpretation),
});
export type TemplateOption = z.infer<typeof TemplateOption>;

export const TemplateField = z.object({
  /** Names the field in its template; never used for another. */
  code: z.string(),
  label: z.string(),
  kind: z.enum(['quantity', 'range', 'code', 'boolean', 'text']),
  /** Asked for with the request, found, or said of it in the report. */
  part: z.enum(['request', 'finding', 'report']),
  /** The heading below which it stands, with others of its part. */
  section: z.optional(z.string()),
  /** Said below the field to who enters its value. */
  help: z.optional(z.string()),
  /** UCUM's code, and how it is written for people. */
  unit: z.optional(z.object({ code: z.string(), label: z.string() })),
  loinc: z.optional(z.string()),
  /** How many digits after the point a quantity may have. */
  decimals: z.optional(z.int()),
  /** No patient has less, or more: such a number is a slip of the hand or of the unit, and is not taken. */
  absolute_low: z.optional(z.string()),
  absolute_high: z.optional(z.string()),
  options: z.optional(z.array(TemplateOption)),
  ranges: z.optional(z.array(ReferenceRange)),
  /** The report is not signed without it. */
  is_required: z.optional(z.boolean()),
  /** What the field is to NEWS2. */
  news2: z.optional(
    z.enum(['respiration', 'spo2', 'spo2_scale', 'oxygen', 'systolic', 'pulse', 'consciousness', 'temperature']),
  ),
});
export type TemplateField = z.infer<typeof TemplateField>;

/** A form as data. A version is never changed: what was recorded by it is read by it for ever. */
export const ExaminationTemplate = z.object({
  id: Id,
  version: z.int(),
  type: z.enum(EXAMINATION_TYPES),
  name: z.string(),
  loinc: z.optional(z.string()),
  /** Done where the patient is, by who asks for it. */
  is_bedside: z.optional(z.boolean()),
  fields: z.array(TemplateField),
});
export type ExaminationTemplate = z.infer<typeof ExaminationTemplate>;
export type ExaminationType = ExaminationTemplate['type'];

/** A value as it was entered. What it means is told by the template's ranges, or chosen where there are none. */
export const Entry = z.object({
  field: z.string(),
  value: z.string(),
  interpretation: z.nullable(Interpretation),
  comparison: z.nullable(Comparison),
  /** Where on pictures of the chat it is seen; left out where it is nowhere. */
  regions: z.optional(z.array(Region)),
  /** When it was found, where a laboratory or a file says another time than that of the report. Nobody enters it. */
  observed_at: z.optional(Instant),
});
export type Entry = z.infer<typeof Entry>;

const Person = z.object({ user_id: Id, name: z.string() });
const Act = z.object({ by: Person, at: Instant });

/** Who entered the value that stands, and at which version of the examination. */
const StoredEntry = z.extend(Entry, { by: Person, at: Instant, version: z.int() });
export type StoredEntry = z.infer<typeof StoredEntry>;

/** An examination as its list and its lines in the chat show it. */
export const ExaminationSummary = z.object({
  id: Id,
  chat_id: Id,
  facility_id: Id,
  type: z.enum(EXAMINATION_TYPES),
  title: z.string(),
  state: ExaminationState,
  /** Grows with every change. */
  version: z.int(),
  /** The last version of its report; 0 before it is signed. */
  report_version: z.int(),
  /** Critical findings of that report. */
  critical: z.array(z.object({ label: z.string(), value: z.string(), interpretation: Interpretation })),
  /** I read or acknowledged an earlier version and have not acknowledged this one. */
  must_acknowledge: z.boolean(),
  updated_at: Instant,
});
export type ExaminationSummary = z.infer<typeof ExaminationSummary>;

export const Examination = z.extend(ExaminationSummary, {
  template: ExaminationTemplate,
  patient: z.nullable(Patient),
  patient_sex: z.nullable(PatientSex),
  created: Act,
  requested: z.nullable(Act),
  /** Of the last cancelling, return, amendment or mark of an error. */
  reason: z.nullable(z.extend(Act, { text: z.string() })),
  entries: z.array(StoredEntry),
  /** Of the pictures that its findings point to those that I may see. */
  pictures: z.optional(z.array(Attachment)),
  /** Of a report that was taken over from a file: what is signed here is that it was. */
  imported: z.optional(z.nullable(ImportedFrom)),
  /** Of its reports, the newest first; 20 at most. */
  critical_alerts: z.optional(z.array(PlacedCriticalAlert)),
  /** What was decided with each version that brought a critical finding, the newest first; 20 at most. */
  critical_decisions: z.optional(z.array(MadeDecision)),
  /** A newer version of its form, and the labels of what it has no place for; null where there is none, and once it is signed. */
  newer_form: z.optional(z.nullable(z.object({ version: z.int(), lost: z.array(z.string()) }))),
  my: z.object({
    can_write: z.boolean(),
    can_sign: z.boolean(),
    can_mark_in_error: z.boolean(),
    /** The last version of the report that I read, and that I acknowledged; 0 for none. */
    read_version: z.int(),
    acknowledged_version: z.int(),
  }),
});
export type Examination = z.infer<typeof Examination>;

/** A signed report; it never changes. */
export const ReportVersion = z.object({
  version: z.int(),
  signed: Act,
  /** Why it was amended; null of the first. */
  reason: z.nullable(z.string()),
  patient_sex: z.nullable(PatientSex),
  entries: z.array(Entry),
  /** What its findings point to, as it was signed; left out where they point to nothing. */
  pictures: z.optional(z.array(z.object({ id: Id, name: z.string(), mime: z.string(), sha256: z.string() }))),
  /** Of what was signed, in hexadecimal. */
  sha256: z.string(),
});
export type ReportVersion = z.infer<typeof ReportVersion>;

/** A value to be set; an empty one takes it out. */
const EntryInput = z.strictObject({
  field: Text(1, 60),
  value: Text(0, EXAMINATION_VALUE_MAX),
  /** In which unit it was entered, null without one: refused where the field has another by now. Left out, that of the field. */
  unit: z.optional(z.nullable(Text(1, 60))),
  /** Chosen where the template says none; left out, none. */
  interpretation: z.optional(z.nullable(Interpretation)),
  comparison: z.optional(z.nullable(Comparison)),
  /** Where it is seen, on pictures of the chat that I may see; left out, what is marked stays. */
  regions: z.optional(z.array(Region).check(z.maxLength(REGIONS_MAX, `At most ${REGIONS_MAX} marked places.`))),
});
export type EntryInput = z.infer<typeof EntryInput>;
const EntryInputs = z.array(EntryInput).check(z.maxLength(200, 'At most 200 values.'));

const chatParams = z.strictObject({ chat: Id });
const examinationParams = z.strictObject({ examination: Id });
const pageQuery = z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) });

export const listExaminationTemplates = endpoint({
  name: 'listExaminationTemplates',
  summary: 'The forms that an examination can be recorded by in a facility, each in its newest version.',
  method: 'GET',
  path: '/api/facilities/{facility}/examination-templates',
  access: 'signed-in',
  params: z.strictObject({ facility: Id }),
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(ExaminationTemplate),
});

export const createExamination = endpoint({
  name: 'createExamination',
  summary:
    'Begins an examination in a chat, as a draft, whose id is its client_id. The same client_id again returns the one that exists; one of something else is 409.',
  method: 'POST',
  path: '/api/chats/{chat}/examinations',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: z.strictObject({
    client_id: Id,
    template_id: Id,
    /** Of the form that a device had without a network; left out, the newest. */
    template_version: z.optional(z.int().check(z.positive())),
    patient_sex: z.optional(z.nullable(PatientSex)),
  }),
  status: 201,
  reply: Examination,
});

export const listExaminations = endpoint({
  name: 'listExaminations',
  summary: 'The examinations of a chat, the newest first.',
  method: 'GET',
  path: '/api/chats/{chat}/examinations',
  access: 'signed-in',
  params: chatParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(ExaminationSummary),
});

export const getExamination = endpoint({
  name: 'getExamination',
  summary: 'One examination with its form and what was entered.',
  method: 'GET',
  path: '/api/examinations/{examination}',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: Examination,
});

export const updateExamination = endpoint({
  name: 'updateExamination',
  summary:
    'Enters values before the report is signed. What others changed since expected_version stays; where it is the same field, 409 names it.',
  method: 'PATCH',
  path: '/api/examinations/{examination}',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: z.strictObject({
    expected_version: z.int(),
    entries: z.optional(EntryInputs),
    patient_sex: z.optional(z.nullable(PatientSex)),
  }),
  status: 200,
  reply: Examination,
});

export const moveExamination = endpoint({
  name: 'moveExamination',
  summary:
    'Moves an examination to another state, with these last values where it takes any; to reported or amended signs a version of its report. A critical finding that is new needs a decision, 422 without one. 409 when expected_version is stale or the state allows no such move, with who did what meanwhile. The same client_id again is answered as the first time.',
  method: 'POST',
  path: '/api/examinations/{examination}/transitions',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: z.strictObject({
    to: ExaminationState,
    expected_version: z.int(),
    reason: z.optional(z.nullable(Text(1, 500))),
    entries: z.optional(EntryInputs),
    critical: z.optional(z.nullable(CriticalDecision)),
    /** Of the press: sent again, it is done once. */
    client_id: z.optional(Id),
    /** My move that this one was pressed after, by its client id: 409 unless expected_version is what came of that one. */
    after: z.optional(z.nullable(Id)),
  }),
  status: 200,
  reply: Examination,
});

export const listReportVersions = endpoint({
  name: 'listReportVersions',
  summary: 'The signed versions of an examination’s report, the newest first.',
  method: 'GET',
  path: '/api/examinations/{examination}/versions',
  access: 'signed-in',
  params: examinationParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(ReportVersion),
});

export const exportExamination = endpoint({
  name: 'exportExamination',
  summary:
    'An examination as a FHIR R4 Bundle: the request, the report that stands with its findings, and who signed each version; audited.',
  method: 'GET',
  path: '/api/examinations/{examination}/fhir',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

export const noteExaminationPrint = endpoint({
  name: 'noteExaminationPrint',
  summary: 'Notes in the audit that an examination was printed.',
  method: 'POST',
  path: '/api/examinations/{examination}/prints',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const exportChat = endpoint({
  name: 'exportChat',
  summary:
    'A chat as a FHIR R4 Bundle for who manages it: its messages as Communications, its examinations as exportExamination gives them; audited.',
  method: 'GET',
  path: '/api/chats/{chat}/fhir',
  access: 'signed-in',
  params: chatParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

/** Which versions of a report I read and acknowledged last; 0 for none. */
const Receipt = z.object({ read_version: z.int(), acknowledged_version: z.int() });

export const acknowledgeReport = endpoint({
  name: 'acknowledgeReport',
  summary:
    'Says that I read the last version of a report, or acknowledge it. A repeat changes nothing; 409 when there is another by now.',
  method: 'PUT',
  path: '/api/examinations/{examination}/receipt',
  access: 'signed-in',
  params: examinationParams,
  query: Nothing,
  body: z.strictObject({ version: z.int(), is_acknowledged: z.boolean() }),
  status: 200,
  reply: Receipt,
});

export const examinationEndpoints = [
  listExaminationTemplates,
  createExamination,
  listExaminations,
  getExamination,
  updateExamination,
  moveExamination,
  listReportVersions,
  exportExamination,
  noteExaminationPrint,
  exportChat,
  acknowledgeReport,
] as const;
