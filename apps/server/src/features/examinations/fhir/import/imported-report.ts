import { createHash } from 'node:crypto';
import type { Patient } from '@wardline/contract/chat/chat.ts';
import {
  type Entry,
  EXAMINATION_VALUE_MAX,
  type ExaminationTemplate,
  type ExaminationType,
  type TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import type { ImportRow } from '@wardline/contract/examinations/imports.ts';
import { isSamePatient } from '@wardline/examination/read-back.ts';
import { hashIdentifier, LOINC, type Resource } from '#/platform/fhir/resources.ts';
import type { NamedElsewhere, Origin } from '../../core/origin.ts';
import {
  DiagnosticReport,
  FhirPatient,
  Observation,
  type Reference,
  type Said,
  ServiceRequest,
} from './fhir-shapes.ts';
import { fieldOf, type Told, textOf } from './imported-finding.ts';
import { idOfReference, type Placed, type ReadBundle } from './read-bundle.ts';

type Problem = ImportRow['problems'][number];

export interface ImportedReport {
  readonly line: number;
  /** System and value: by it the same report is known again. */
  readonly identifier: string;
  readonly template: Omit<ExaminationTemplate, 'id' | 'version'>;
  readonly entries: readonly Entry[];
  readonly findings: readonly Told[];
  readonly state: 'reported' | 'amended' | 'entered_in_error';
  readonly origin: Origin;
  readonly problems: readonly Problem[];
}

/** A report that is not taken over, and why. */
class Refusal extends Error {}

const MOST_FIELDS = 200;
const LONGEST_NAME = 200;
/** A clock may be a little ahead. */
const AHEAD_MS = 300_000;
const STATES: Readonly<Record<string, ImportedReport['state'] | undefined>> = {
  ...{ final: 'reported', amended: 'amended', corrected: 'amended', appended: 'amended' },
  'entered-in-error': 'entered_in_error',
};
/** HL7 table 0074. */
const TYPES: Readonly<Record<string, ExaminationType | undefined>> = {
  ...{ LAB: 'laboratory', CH: 'laboratory', HM: 'laboratory', MB: 'laboratory', BLB: 'laboratory', IMG: 'imaging' },
  ...{ RAD: 'imaging', CT: 'imaging', RUS: 'imaging', NMR: 'imaging', EC: 'ecg', NRS: 'vital_signs', PHY: 'physical' },
};

interface About {
  readonly facilityId: string;
  /** Of the chat. */
  readonly patient: Patient;
  readonly now: Date;
}

/** Each report of a bundle as it would be taken over, or why it is not; in the order of the file. */
export function readReports(
  bundle: ReadBundle,
  about: About,
): (ImportedReport | { line: number; title: string; refused: string })[] {
  return [...bundle.values()]
    .filter(({ resource }) => resource.resourceType === 'DiagnosticReport')
    .map((placed) => {
      try {
        return readReport(bundle, placed, about);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { line: placed.line, title: titleOf(placed), refused: error.message };
      }
    });
}

function readReport(bundle: ReadBundle, { resource, line }: Placed, about: About): ImportedReport {
  const { success, data: report } = DiagnosticReport.safeParse(resource);
  if (!success) throw new Refusal('It is not as FHIR states a report.');
  const state = STATES[report.status];
  if (state === undefined) throw new Refusal('It is not final.');
  const patient = requirePatient(bundle, report, about);
  const [effective, issued] = [report.effectiveDateTime ?? report.issued, report.issued ?? report.effectiveDateTime];
  if (effective === undefined || issued === undefined) throw new Refusal('It does not say when it was made.');
  if ([effective, issued].some((at) => Date.parse(at) > about.now.getTime() + AHEAD_MS)) {
    throw new Refusal('Its time lies in the future.');
  }
  const identifier = identifierOf(report, resource);
  const request = requestOf(bundle, report);
  const read = readFindings(bundle, report, { effective, now: about.now });
  const told = [...(request?.told ?? []), ...read.told];
  if (read.told.length === 0) throw new Refusal('It has no finding that can be taken over.');
  if (told.length > MOST_FIELDS) throw new Refusal(`It has more than ${MOST_FIELDS} findings.`);
  if (
    told.some(({ field, entry }) => field.label.length > LONGEST_NAME || entry.value.length > EXAMINATION_VALUE_MAX)
  ) {
    throw new Refusal('A text in it is too long.');
  }
  const loinc = report.code.coding?.find(({ system }) => system === LOINC)?.code;
  const performers = peopleOf(report.performer ?? report.resultsInterpreter ?? []);
  const ids = { report: resource.id, request: request?.id ?? null, patient: patient.id };
  return {
    line,
    identifier: `${identifier.system}|${identifier.value}`,
    template: {
      type: typeOf(report),
      name: titleOf({ resource, line }),
      ...(loinc === undefined ? {} : { loinc }),
      fields: told.map(({ field }) => field),
    },
    entries: told.map(({ entry }) => entry),
    findings: read.told,
    state,
    origin: {
      ...{ identifier, source: patient.system, status: report.status, effective_at: effective, issued_at: issued },
      performers: performers.length > 0 ? performers : peopleOf(report.resultsInterpreter ?? []),
      ...{ requester: request?.requester ?? null, authored_on: request?.authoredOn ?? null },
      presented: signedText(report, identifier),
      kept: keptWith(bundle, ids, read.observations),
      ...{ ids, observations: read.observations },
    },
    problems: read.problems,
  };
}

function titleOf({ resource }: Placed): string {
  const { success, data } = DiagnosticReport.safeParse(resource);
  return ((success && textOf(data.code)) || 'Report').slice(0, LONGEST_NAME);
}

function typeOf({ category }: DiagnosticReport): ExaminationType {
  const codes = (category ?? []).flatMap(({ coding }) => coding ?? []).map(({ code }) => code ?? '');
  return codes.map((code) => TYPES[code]).find((type) => type !== undefined) ?? 'consultation';
}

/** The chat's own: by its number, and where the number is another system’s by the date of birth too. */
function requirePatient(bundle: ReadBundle, { subject }: DiagnosticReport, { facilityId, patient }: About) {
  const id = idOfReference(subject?.reference);
  const { success, data } = FhirPatient.safeParse(bundle.get(id)?.resource);
  if (!success) throw new Refusal('It does not say whose it is.');
  const known = { name: patient.name, identifier: patient.identifier, born_on: patient.born_on };
  const born_on = data.birthDate ?? null;
  const isBirthKnown = born_on !== null && patient.born_on !== null;
  const same = (data.identifier ?? []).find(({ system, value }) => {
    const said = { name: '', identifier: value ?? '', born_on: isBirthKnown ? born_on : null };
    return (isBirthKnown || system === `urn:uuid:${facilityId}`) && isSamePatient(said, known);
  });
  if (!same) throw new Refusal('It is of another patient than this chat.');
  return { id, system: same.system ?? null };
}

function identifierOf({ identifier }: DiagnosticReport, { id }: Resource): Origin['identifier'] {
  const own = identifier?.find(({ system, value }) => system && value);
  const { system, value } = { system: own?.system ?? 'urn:ietf:rfc:3986', value: own?.value ?? `urn:uuid:${id}` };
  if (system.length + value.length > 900) throw new Refusal('Its identifier is too long.');
  return { system, value };
}

/** Refused where the text that goes along is not the one that the identifier is the hash of. */
function signedText({ presentedForm }: DiagnosticReport, identifier: Origin['identifier']): Origin['presented'] {
  const [form] = presentedForm ?? [];
  if (form?.data === undefined || !identifier.value.startsWith('ni:')) return null;
  const sha256 = createHash('sha256').update(Buffer.from(form.data, 'base64')).digest('hex');
  if (hashIdentifier(sha256).value !== identifier.value) throw new Refusal('It was changed after it was signed.');
  return form;
}

function peopleOf(references: readonly Reference[]): NamedElsewhere[] {
  return references.flatMap(({ reference, display }) => {
    const user_id = idOfReference(reference);
    return user_id && display ? [{ user_id, name: display.slice(0, LONGEST_NAME) }] : [];
  });
}

function requestOf(bundle: ReadBundle, { basedOn }: DiagnosticReport) {
  const id = idOfReference(basedOn?.[0]?.reference);
  const { success, data } = ServiceRequest.safeParse(bundle.get(id)?.resource);
  if (!success) return null;
  const questions = (data.reasonCode ?? []).map(({ text }) => ['Clinical question', text] as const);
  const details = (data.orderDetail ?? []).map(({ text = '' }) => {
    const [, label = 'Detail', value = text] = /^([^:]{1,60}): (.*)$/s.exec(text) ?? [];
    return [label, value] as const;
  });
  const told = [...questions, ...details].flatMap(([label, value], index): Told[] => {
    const code = label === 'Clinical question' && index === 0 ? 'question' : `r${index + 1}`;
    const field: TemplateField = { code, label, kind: 'text', part: 'request' };
    return value ? [{ field, entry: { field: code, value, interpretation: null, comparison: null }, line: 0 }] : [];
  });
  const [requester = null] = peopleOf(data.requester ? [data.requester] : []);
  return { id, told, requester, authoredOn: data.authoredOn ?? null };
}

interface Times {
  /** Of the report. */
  readonly effective: string;
  readonly now: Date;
}

function readFindings(bundle: ReadBundle, report: DiagnosticReport, times: Times) {
  const told: Told[] = [];
  const problems: Problem[] = [];
  const observations: [string, string][] = [];
  for (const { reference } of report.result ?? []) {
    const id = idOfReference(reference);
    const { data, line } = requireObservation(bundle, id, report);
    for (const part of data.component?.length ? data.component : [data]) {
      const code = codeFor(part, told, report);
      const found = fieldOf(part, { code, line, note: data.note?.[0]?.text ?? null });
      if (found === null) problems.push(leftOut(line, textOf(part.code)));
      else {
        told.push({ ...found, entry: { ...found.entry, ...foundAt(data.effectiveDateTime, times) } });
        observations.push([id, code]);
      }
    }
  }
  return { told: withConclusion(told, report), problems, observations };
}

/** Where a finding has a time of its own; a day alone, and what is still to come, is none. */
function foundAt(said: string | undefined, { effective, now }: Times): Pick<Entry, 'observed_at'> {
  const at = said?.includes('T') ? Date.parse(said) : Number.NaN;
  const isOwn = at !== Date.parse(effective) && at <= now.getTime() + AHEAD_MS;
  return isOwn ? { observed_at: new Date(at).toISOString() } : {};
}

function requireObservation(bundle: ReadBundle, id: string, report: DiagnosticReport) {
  const placed = bundle.get(id);
  const { success, data } = Observation.safeParse(placed?.resource);
  if (!success || placed === undefined) throw new Refusal('A finding in it is not as FHIR states one.');
  if (idOfReference(data.subject?.reference) !== idOfReference(report.subject?.reference)) {
    throw new Refusal('A finding in it is of another patient.');
  }
  return { data, line: placed.line };
}

function codeFor({ valueString }: Said, told: readonly Told[], { conclusion }: DiagnosticReport): string {
  const isConclusion = valueString !== undefined && valueString === conclusion;
  const isFirst = !told.some(({ field }) => field.code === CONCLUSION);
  return isConclusion && isFirst ? CONCLUSION : `f${told.length + 1}`;
}

/** What sums a report up is often one of its findings as well: then it is that one. */
const CONCLUSION = 'impression';

function withConclusion(told: readonly Told[], { conclusion }: DiagnosticReport): Told[] {
  if (!conclusion || told.some(({ field }) => field.code === CONCLUSION)) return [...told];
  const field: TemplateField = { code: CONCLUSION, label: 'Conclusion', kind: 'text', part: 'report' };
  const entry = { field: field.code, value: conclusion, interpretation: null, comparison: null };
  return [...told, { field, entry, line: 0 }];
}

function leftOut(line: number, title: string): Problem {
  return { column: null, code: 'NO_VALUE', message: `${title || `Entry ${line}`} has no value, and is left out.` };
}

const STORIES = ['Provenance', 'CommunicationRequest', 'Communication'];

/** What tells of the report without being of it: who signed it, whom it called. What leads elsewhere as well is not kept. */
function keptWith(bundle: ReadBundle, ids: Origin['ids'], observations: Origin['observations']): Resource[] {
  const own = new Set([ids.report, ids.request, ids.patient, ...observations.map(([id]) => id)]);
  const kept = new Map<string, Resource>();
  const isPerson = (id: string) => bundle.get(id)?.resource.resourceType === 'Practitioner';
  const isNear = (id: string) => own.has(id) || kept.has(id) || isPerson(id);
  // The order of a bundle says nothing: again until nothing further is near.
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    for (const { resource } of bundle.values()) {
      if (kept.has(resource.id) || !STORIES.includes(resource.resourceType)) continue;
      const leads = leadsOf(resource);
      const isAbout = leads.some((id) => id !== ids.patient && (own.has(id) || kept.has(id)));
      const isMessage = resource.resourceType === 'Communication' && !('basedOn' in resource);
      if (isAbout && !isMessage && leads.every(isNear)) kept.set(resource.id, resource);
    }
  }
  const named = new Set([...kept.values()].flatMap(leadsOf));
  return [
    ...[...bundle.values()].map(({ resource }) => resource).filter(({ id }) => named.has(id) && isPerson(id)),
    ...kept.values(),
  ];
}

function leadsOf(resource: Resource): string[] {
  return [...JSON.stringify(resource).matchAll(/"reference":"urn:uuid:([^"]+)"/g)].map(([, id = '']) => id);
}
