import type {
  ExaminationState,
  ExaminationTemplate,
  ReportVersion,
} from '@wardline/contract/examinations/examinations.ts';
import {
  collection,
  HL7,
  hashIdentifier,
  idOf,
  LOINC,
  patientOf,
  practitioner,
  type Resource,
  referenceTo,
  referenceToPerson,
} from '#/platform/fhir/resources.ts';
import type { AlertStory } from '../core/deps.ts';
import type { ExaminationRecord } from '../core/examination-queries.ts';
import type { Origin } from '../core/origin.ts';
import { alertResources } from './critical-alert.ts';
import { observationIdOf, observationsOf } from './observations.ts';

/** An examination with all that was asked for and signed. */
export interface Recorded {
  readonly examination: ExaminationRecord;
  /** What stands in the form, for the request. */
  readonly entries: readonly { readonly field: string; readonly value: string }[];
  /** The newest first; empty before the first signature. */
  readonly reports: readonly ReportVersion[];
  /** The newest report, byte for byte as it was signed. */
  readonly signedText: string | null;
  /** Of the alerts about what it found; none before the first signature. */
  readonly alerts: readonly AlertStory[];
}

const ORDER_STATUS: Readonly<Record<ExaminationState, string>> = {
  ...{ draft: 'draft', requested: 'active', in_progress: 'active', reported: 'completed', amended: 'completed' },
  ...{ cancelled: 'revoked', entered_in_error: 'entered-in-error' },
};
/** HL7 table 0074, diagnostic service sections. */
const SECTIONS: Readonly<Record<ExaminationTemplate['type'], string>> = {
  ...{ laboratory: 'LAB', imaging: 'IMG', ecg: 'EC', vital_signs: 'NRS', physical: 'PHY', consultation: 'PHY' },
};
/** Sections that sum a report up. */
const CONCLUSIONS: readonly string[] = ['impression', 'assessment'];

/** An examination as a FHIR R4 Bundle (EXAM-6). */
export function examinationBundle(recorded: Recorded, at: Date): object {
  return collection(examinationResources(recorded), at);
}

/** The request, the report that stands with its findings, who signed each of its versions when and why, and whom that called. */
export function examinationResources(recorded: Recorded): Resource[] {
  const { examination, reports, alerts } = recorded;
  const { facility_id, patient, origin } = examination;
  const people = origin
    ? [...origin.performers, ...(origin.requester ? [origin.requester] : [])]
    : [(examination.requested ?? examination.created).by];
  const signers = reports.map(({ signed }) => practitioner(signed.by));
  const reported = reportResources(recorded);
  const about = {
    examinationId: examination.id,
    subject: subjectOf(examination),
    observationOf: (field: string) => observationOfField(examination, field, reported),
  };
  return [
    ...(patient ? [patientOf(facility_id, patient)] : []),
    ...people.map(practitioner),
    ...signers,
    serviceRequest(recorded),
    ...reported,
    ...reports.map((report, index) =>
      origin ? importProvenance(examination, report, origin) : provenance(examination, report, reports[index + 1]),
    ),
    ...alerts.flatMap((alert) => alertResources(alert, about)),
    ...(origin ? keptResources(examination, origin) : []),
  ];
}

/** Who asked for it and when; of one that was imported null where the file does not say it. */
function askedBy({ created, requested, origin }: ExaminationRecord) {
  if (origin) return { by: origin.requester, at: origin.authored_on };
  return requested ?? created;
}

function subjectOf({ facility_id, patient }: ExaminationRecord) {
  return patient ? { subject: referenceTo(patientOf(facility_id, patient), patient.name) } : {};
}

function requestId({ id }: ExaminationRecord): string {
  return idOf(id, 'request');
}

function codeOf({ loinc, name }: ExaminationTemplate) {
  return { ...(loinc === undefined ? {} : { coding: [{ system: LOINC, code: loinc }] }), text: name };
}

function serviceRequest({ examination, entries }: Recorded): Resource {
  const { template, state, reason } = examination;
  const { by, at } = askedBy(examination);
  const asked = template.fields.flatMap(({ part, code, label, options }) => {
    const value = part === 'request' ? entries.find(({ field }) => field === code)?.value : undefined;
    return value ? [{ code, label, text: options?.find((option) => option.code === value)?.label ?? value }] : [];
  });
  const questions = asked.filter(({ code }) => code === 'question').map(({ text }) => ({ text }));
  const details = asked
    .filter(({ code }) => code !== 'question')
    .map(({ label, text }) => ({ text: `${label}: ${text}` }));
  return {
    resourceType: 'ServiceRequest',
    id: requestId(examination),
    status: ORDER_STATUS[state],
    intent: 'order',
    code: codeOf(template),
    ...(details.length > 0 ? { orderDetail: details } : {}),
    ...subjectOf(examination),
    ...(at === null ? {} : { authoredOn: at }),
    ...(by === null ? {} : { requester: referenceToPerson(by) }),
    ...(questions.length > 0 ? { reasonCode: questions } : {}),
    ...(reason && (state === 'cancelled' || state === 'entered_in_error') ? { note: [{ text: reason.text }] } : {}),
  };
}

/** Nothing before it is signed: what only stands in a form is no result. */
function reportResources({ examination, reports, signedText }: Recorded): Resource[] {
  const [report] = reports;
  if (report === undefined) return [];
  const { id, template, state, subject } = examination;
  const { status, effective, issued, performers, identifier, presented } = sayingOf(examination, report, signedText);
  const frame = {
    status: state === 'entered_in_error' ? 'entered-in-error' : status,
    ...subjectOf(examination),
    effectiveDateTime: effective,
    issued,
  };
  const performer = performers.map(referenceToPerson);
  const findings = { examinationId: id, template, entries: report.entries, pictures: report.pictures ?? [] };
  const observations = observationsOf({
    ...findings,
    subject: { ...subject, sex: report.patient_sex },
    frame: { ...frame, ...(performer.length > 0 ? { performer } : {}) },
  });
  const media = findings.pictures.map((picture) => mediaOf(examination, picture));
  const conclusion = report.entries.find(({ field, value }) => CONCLUSIONS.includes(field) && value !== '')?.value;
  return [
    {
      resourceType: 'DiagnosticReport',
      id,
      identifier: [identifier],
      basedOn: [referenceTo({ id: requestId(examination) })],
      ...frame,
      category: [{ coding: [{ system: `${HL7}/v2-0074`, code: SECTIONS[template.type] }] }],
      code: codeOf(template),
      ...(performer.length > 0 ? { resultsInterpreter: performer } : {}),
      result: observations.map((observation) => referenceTo(observation)),
      ...(media.length > 0 ? { media: media.map((picture) => ({ link: referenceTo(picture) })) } : {}),
      ...(conclusion === undefined ? {} : { conclusion }),
      ...(presented === null ? {} : { presentedForm: [presented] }),
    },
    ...observations,
    ...media,
  ];
}

/** A picture that findings point to: named by its bytes as they were when it was signed, not contained. */
function mediaOf(
  examination: ExaminationRecord,
  { id, name, mime, sha256 }: NonNullable<ReportVersion['pictures']>[number],
): Resource {
  return {
    resourceType: 'Media',
    id,
    identifier: [hashIdentifier(sha256)],
    status: 'completed',
    ...subjectOf(examination),
    content: { contentType: mime, title: name },
  };
}

/** Who says it, when, and by which text: of a report that was imported as the file had it. */
function sayingOf({ created, origin }: ExaminationRecord, report: ReportVersion, signedText: string | null) {
  if (origin) {
    const { status, effective_at: effective, issued_at: issued, performers, identifier, presented } = origin;
    return { status, effective, issued, performers, identifier, presented };
  }
  return {
    status: report.version > 1 ? 'amended' : 'final',
    // Its findings are flagged by the age at the day on which it was begun.
    ...{ effective: created.at, issued: report.signed.at, performers: [report.signed.by] },
    identifier: hashIdentifier(report.sha256),
    presented: signedText === null ? null : signedForm(report, signedText),
  };
}

/** What the file told besides, leading to this examination where it led to the one of the file. */
function keptResources(
  { id, facility_id, patient, template }: ExaminationRecord,
  { kept, ids, observations }: Origin,
): Resource[] {
  const now = new Map<string, string>([[ids.report, id]]);
  if (ids.request) now.set(ids.request, idOf(id, 'request'));
  if (patient) now.set(ids.patient, patientOf(facility_id, patient).id);
  for (const [was, code] of observations) {
    const field = template.fields.find((one) => one.code === code);
    if (field && !now.has(was)) now.set(was, observationIdOf(id, template, field));
  }
  const text = JSON.stringify(kept);
  return JSON.parse(
    text.replace(/urn:uuid:([0-9a-f-]{36})/g, (urn, was) => (now.has(was) ? `urn:uuid:${now.get(was)}` : urn)),
  );
}

function observationOfField(
  { id, template }: ExaminationRecord,
  code: string,
  reported: readonly Resource[],
): Resource | null {
  const field = template.fields.find((one) => one.code === code);
  const wanted = field && observationIdOf(id, template, field);
  return reported.find((resource) => resource.id === wanted) ?? null;
}

/** The text that was signed: its SHA-256 is the identifier of the report. */
function signedForm({ version, signed }: ReportVersion, text: string) {
  return {
    contentType: 'application/json',
    data: Buffer.from(text).toString('base64'),
    title: `Version ${version} as it was signed`,
    creation: signed.at,
  };
}

/** Who took it over, when, and from which report. */
function importProvenance({ id }: ExaminationRecord, { signed }: ReportVersion, { identifier }: Origin): Resource {
  return {
    resourceType: 'Provenance',
    id: idOf(id, 'imported'),
    target: [referenceTo({ id })],
    recorded: signed.at,
    activity: { coding: [{ system: `${HL7}/v3-DataOperation`, code: 'CREATE' }] },
    agent: [
      {
        type: { coding: [{ system: `${HL7}/provenance-participant-type`, code: 'enterer' }] },
        who: referenceToPerson(signed.by),
      },
    ],
    entity: [{ role: 'source', what: { identifier } }],
  };
}

/** Who signed a version, when and why; from which text, and after which. */
function provenance({ id }: ExaminationRecord, report: ReportVersion, before: ReportVersion | undefined): Resource {
  const { version, signed, reason, sha256 } = report;
  return {
    resourceType: 'Provenance',
    id: idOf(id, `signed ${version}`),
    target: [referenceTo({ id }, `Version ${version}`)],
    recorded: signed.at,
    ...(reason === null ? {} : { reason: [{ text: reason }] }),
    activity: { coding: [{ system: `${HL7}/v3-DataOperation`, code: before ? 'UPDATE' : 'CREATE' }] },
    agent: [
      {
        type: { coding: [{ system: `${HL7}/provenance-participant-type`, code: 'author' }] },
        who: referenceToPerson(signed.by),
      },
    ],
    entity: [
      { role: 'source', what: { identifier: hashIdentifier(sha256), display: `Signed text of version ${version}` } },
      ...(before
        ? [
            {
              role: 'revision',
              what: { identifier: hashIdentifier(before.sha256), display: `Signed text of version ${before.version}` },
            },
          ]
        : []),
    ],
  };
}
