import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Interpretation } from '../interpretation.ts';
import {
  Cursor,
  Id,
  Instant,
  keyed,
  LimitQuery,
  NoContent,
  Nothing,
  Page,
  SeqQuery,
  Text,
  Version,
} from '../values.ts';
import { EXAMINATION_TYPES, Examination, ExaminationTemplate, PatientSex, TemplateField } from './examinations.ts';

/** Of one facility, those that are retired included. */
export const FORMS_MAX = 100;
export const FORM_FIELDS_MAX = 80;
export const FORM_OPTIONS_MAX = 60;
export const FORM_RANGES_MAX = 24;
/** Of its definition as JSON. */
export const FORM_BYTES_MAX = 120_000;

const { kind, part, news2 } = TemplateField.shape;
const Limit = z.optional(Text(0, 20));
const FormAge = z.strictObject({ value: z.int().check(z.gte(0), z.lte(60_000)), unit: z.enum(['d', 'mo', 'a']) });

const FormRange = z.strictObject({
  sex: z.optional(PatientSex),
  age_from: z.optional(FormAge),
  age_to: z.optional(FormAge),
  ...{ low: Limit, high: Limit, critical_low: Limit, critical_high: Limit },
});

const FormField = z.strictObject({
  code: Text(0, 60),
  label: Text(0, 120),
  ...{ kind, part, news2 },
  section: z.optional(Text(0, 80)),
  help: z.optional(Text(0, 300)),
  unit: z.optional(z.strictObject({ code: Text(0, 60), label: Text(0, 40) })),
  loinc: z.optional(Text(0, 20)),
  decimals: z.optional(z.int().check(z.gte(0), z.lte(6))),
  ...{ absolute_low: Limit, absolute_high: Limit },
  options: z.optional(
    z
      .array(z.strictObject({ code: Text(0, 60), label: Text(0, 120), interpretation: z.optional(Interpretation) }))
      .check(z.maxLength(FORM_OPTIONS_MAX, `At most ${FORM_OPTIONS_MAX} choices.`)),
  ),
  ranges: z.optional(z.array(FormRange).check(z.maxLength(FORM_RANGES_MAX, `At most ${FORM_RANGES_MAX} ranges.`))),
  is_required: z.optional(z.boolean()),
});

/**
 * A form as it is written: what stands in {@link ExaminationTemplate} without its id and version. A draft may lack what a version must
 * have; which that is, `formProblems` of `packages/examination` says.
 */
export const FormDefinition = z
  .strictObject({
    type: z.enum(EXAMINATION_TYPES),
    name: Text(0, 80),
    loinc: z.optional(Text(0, 20)),
    is_bedside: z.optional(z.boolean()),
    fields: z.array(FormField).check(z.maxLength(FORM_FIELDS_MAX, `At most ${FORM_FIELDS_MAX} fields.`)),
  })
  .check(z.refine((form) => JSON.stringify(form).length <= FORM_BYTES_MAX, 'This form is too large.'));
export type FormDefinition = z.infer<typeof FormDefinition>;

/**
 * In use, examinations are begun with its published version. Retired, they are not. With the shipped form again, it is kept and the form
 * that it was copied from is there in its place.
 */
export const FormState = z.enum(['in_use', 'retired', 'shipped_again']);
export type FormState = z.infer<typeof FormState>;

const Act = z.object({ by: z.object({ user_id: Id, name: z.string() }), at: Instant });

/** A form of a facility, or one that comes with Wardline. */
export const FormSummary = z.object({
  id: Id,
  type: z.enum(EXAMINATION_TYPES),
  name: z.string(),
  is_shipped: z.boolean(),
  state: FormState,
  /** The last that was published; 0 before the first. */
  version: z.int(),
  /** Grows with every change of a facility's form, its draft included; 0 of a shipped one. */
  revision: z.int(),
  has_draft: z.boolean(),
  field_count: z.int(),
  /** The shipped form in whose place it stands, the version it was copied from, and the newest there is. */
  copied_from: z.nullable(z.object({ id: Id, version: z.int(), newest: z.int() })),
  /** Of a shipped form: the facility's own that was copied from it, and whether it stands in its place now. */
  own_copy: z.nullable(z.object({ id: Id, is_in_its_place: z.boolean() })),
  /** Who changed it last; null of a shipped form. */
  changed: z.nullable(Act),
});
export type FormSummary = z.infer<typeof FormSummary>;

export const FacilityForm = z.extend(FormSummary, {
  published: z.nullable(ExaminationTemplate),
  draft: z.nullable(FormDefinition),
  /** The newest version of the form that it was copied from. */
  shipped: z.nullable(ExaminationTemplate),
  /** The kind of every field that a version of it has had, by its code. */
  used_codes: keyed(kind),
});
export type FacilityForm = z.infer<typeof FacilityForm>;

export const FormVersion = z.object({
  template: ExaminationTemplate,
  /** Null of a shipped one. */
  published: z.nullable(Act),
});
export type FormVersion = z.infer<typeof FormVersion>;

/** What is done with a form as a whole. */
export const FormAct = z.enum(['publish', 'retire', 'use_again', 'return_to_shipped']);
export type FormAct = z.infer<typeof FormAct>;

/** A form as one hospital gives it to another. */
export const FormFile = z.object({ wardline_form: z.literal(1), form: FormDefinition });

const facilityParams = z.strictObject({ facility: Id });
const formParams = z.strictObject({ facility: Id, form: Id });
const pageQuery = z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) });
const forms = '/api/facilities/{facility}/examination-forms';

export const listExaminationForms = endpoint({
  name: 'listExaminationForms',
  summary:
    'The forms of a facility for who manages it: those that come with Wardline and its own, retired ones included.',
  method: 'GET',
  path: forms,
  access: 'signed-in',
  params: facilityParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(FormSummary),
});

export const createExaminationForm = endpoint({
  name: 'createExaminationForm',
  summary:
    'A new form of a facility, as a draft. With copied_from it stands in place of that shipped form once it is published; each has one such copy, and 409 says that it is there already.',
  method: 'POST',
  path: forms,
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ definition: FormDefinition, copied_from: z.optional(z.nullable(Id)) }),
  status: 201,
  reply: FacilityForm,
});

export const getExaminationForm = endpoint({
  name: 'getExaminationForm',
  summary: 'A form with its published version and its draft.',
  method: 'GET',
  path: `${forms}/{form}`,
  access: 'signed-in',
  params: formParams,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: FacilityForm,
});

export const listFormVersions = endpoint({
  name: 'listFormVersions',
  summary: 'The published versions of a form, the newest first.',
  method: 'GET',
  path: `${forms}/{form}/versions`,
  access: 'signed-in',
  params: formParams,
  query: pageQuery,
  body: Nothing,
  status: 200,
  reply: Page(FormVersion),
});

export const saveFormDraft = endpoint({
  name: 'saveFormDraft',
  summary:
    'Stores the draft of a form. Nobody sees it until it is published. 409 when somebody changed the form since.',
  method: 'PUT',
  path: `${forms}/{form}/draft`,
  access: 'signed-in',
  params: formParams,
  query: Nothing,
  body: z.strictObject({ expected_revision: Version, definition: FormDefinition }),
  status: 200,
  reply: FacilityForm,
});

export const discardFormDraft = endpoint({
  name: 'discardFormDraft',
  summary:
    'Drops the draft of a form; a form that was never published goes with it. 409 when somebody changed the form since.',
  method: 'DELETE',
  path: `${forms}/{form}/draft`,
  access: 'signed-in',
  params: formParams,
  query: z.strictObject({ expected_revision: SeqQuery }),
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const moveExaminationForm = endpoint({
  name: 'moveExaminationForm',
  summary:
    'Publishes the draft of a form as its next version, retires the form, takes it into use again, or goes back to the shipped one. 422 names what a version lacks; 409 when somebody changed the form since, or it allows no such act.',
  method: 'POST',
  path: `${forms}/{form}/transitions`,
  access: 'signed-in',
  params: formParams,
  query: Nothing,
  body: z.strictObject({ expected_revision: Version, act: FormAct }),
  status: 200,
  reply: FacilityForm,
});

export const exportExaminationForm = endpoint({
  name: 'exportExaminationForm',
  summary:
    'The published version of a form as a file: Wardline’s own, which another facility takes over, or a FHIR R4 Questionnaire; audited.',
  method: 'GET',
  path: `${forms}/{form}/file`,
  access: 'signed-in',
  params: formParams,
  query: z.strictObject({ format: z.enum(['wardline', 'fhir']) }),
  body: Nothing,
  status: 200,
  isDownload: true,
  reply: z.unknown(),
});

export const checkUnit = endpoint({
  name: 'checkUnit',
  summary: 'Whether a unit is one of UCUM’s, and whether it measures what a LOINC code stands for.',
  method: 'GET',
  path: '/api/facilities/{facility}/examination-units',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ code: Text(1, 60), loinc: z.optional(Text(1, 20)) }),
  body: Nothing,
  status: 200,
  /** Null where Wardline does not know what the LOINC code measures. */
  reply: z.object({ is_unit: z.boolean(), fits_loinc: z.nullable(z.boolean()) }),
});

export const renewExaminationForm = endpoint({
  name: 'renewExaminationForm',
  summary:
    'Goes on with an examination in a newer version of its form, before it is signed. 422 names the values that would be lost; 409 when expected_version is stale.',
  method: 'PUT',
  path: '/api/examinations/{examination}/form',
  access: 'signed-in',
  params: z.strictObject({ examination: Id }),
  query: Nothing,
  body: z.strictObject({ expected_version: z.int(), template_version: z.int() }),
  status: 200,
  reply: Examination,
});

export const formEndpoints = [
  listExaminationForms,
  createExaminationForm,
  getExaminationForm,
  listFormVersions,
  saveFormDraft,
  discardFormDraft,
  moveExaminationForm,
  exportExaminationForm,
  checkUnit,
  renewExaminationForm,
] as const;
