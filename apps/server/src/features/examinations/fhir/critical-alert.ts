import type { CriticalCategory, CriticalFinding, CriticalState } from '@wardline/contract/chat/critical.ts';
import { formatCriticalFinding } from '@wardline/format/critical-finding.ts';
import { HL7, idOf, practitioner, type Resource, referenceTo, referenceToPerson } from '#/platform/fhir/resources.ts';
import type { AlertStory } from '../core/deps.ts';

interface About {
  readonly examinationId: string;
  /** What the elements `subject` and the like of its report say. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** The Observation of a field of its form; null where the report says nothing of it. */
  readonly observationOf: (field: string) => Resource | null;
}

const CATEGORY = { text: 'Critical result' };
const STATUS: Readonly<Record<CriticalState, string>> = {
  ...{ identified: 'active', notifying: 'active', escalated: 'active', exhausted: 'active', received: 'active' },
  ...{ read_back_ok: 'active', acted: 'active', closed: 'completed', withdrawn: 'revoked' },
};
const PRIORITY: Readonly<Record<CriticalCategory, string>> = { minutes: 'stat', hours: 'urgent', days: 'asap' };
/** FHIR has no codes for these steps. */
const STEPS: Readonly<Record<string, string>> = {
  ...{ sent: 'Sent', repeated: 'Sent again', climbed: 'Escalated', exhausted: 'Nobody further to call' },
  ...{ received: 'Received', misread: 'Read back, not agreed', accepted: 'Read back, agreed' },
  ...{ reminded: 'Reminded to say what was done', resumed: 'Calling again', acted: 'Closed' },
  withdrawn: 'Withdrawn',
};
/** Answers, which somebody who was called gave to the first call. */
const ANSWERS: readonly string[] = ['received', 'misread', 'accepted', 'acted'];

/** A critical alert: that somebody had to be told, by whom it was raised, and each step until it was over (EXAM-5, EXAM-6). */
export function alertResources(alert: AlertStory, about: About): Resource[] {
  const { id, category, state, raisedBy, findings, report_version, times, steps } = alert;
  const called = unique(steps.flatMap((step) => step.called));
  const frame = { ...about.subject, about: aboutOf(findings, about) };
  const request = {
    resourceType: 'CommunicationRequest',
    id,
    status: STATUS[state],
    category: [CATEGORY],
    priority: PRIORITY[category],
    ...frame,
    payload: findings.map((finding) => ({ contentString: formatCriticalFinding(finding) })),
    authoredOn: times.identified_at,
    requester: referenceToPerson(raisedBy),
    ...(called.length > 0 ? { recipient: called.map(referenceToPerson) } : {}),
    note: [{ text: `Version ${report_version} of the report, to be known within ${category}` }],
  };
  const people = unique([raisedBy, ...called, ...steps.flatMap(({ by }) => by ?? [])]);
  const told = steps.map((step, index) => stepOf(alert, step, { index, frame }));
  return [...people.map(practitioner), request, ...told, provenance(alert)];
}

type Step = AlertStory['steps'][number];

function stepOf(
  { id, raisedBy }: AlertStory,
  { at, kind, by, called, wrong }: Step,
  { index, frame }: { readonly index: number; readonly frame: object },
): Resource {
  const isAnswer = ANSWERS.includes(kind);
  const receivers = isAnswer ? [raisedBy] : called;
  return {
    resourceType: 'Communication',
    id: stepId(id, index),
    basedOn: [referenceTo({ id })],
    ...(isAnswer ? { inResponseTo: [referenceTo({ id: stepId(id, 0) })] } : {}),
    status: 'completed',
    category: [CATEGORY, { text: STEPS[kind] ?? kind }],
    medium: [{ coding: [{ system: `${HL7}/v3-ParticipationMode`, code: 'WRITTEN' }] }],
    ...frame,
    ...(receivers.length > 0 ? { recipient: receivers.map(referenceToPerson) } : {}),
    sent: at,
    ...(by ? { sender: referenceToPerson(by) } : {}),
    ...(wrong === null ? {} : { note: [{ text: `Not agreed: ${wrong}`, time: at }] }),
  };
}

function stepId(alertId: string, index: number): string {
  return idOf(alertId, `step ${index}`);
}

/** The findings, and the report itself for those that it no longer says anything of. */
function aboutOf(findings: readonly CriticalFinding[], { examinationId, observationOf }: About) {
  const ids = findings.map(({ field }) => observationOf(field)?.id ?? examinationId);
  return [...new Set(ids)].map((id) => referenceTo({ id }));
}

/** Who raised it, and when. */
function provenance({ id, raisedBy, times }: AlertStory): Resource {
  return {
    resourceType: 'Provenance',
    id: idOf(id, 'raised'),
    target: [referenceTo({ id }, 'Critical alert')],
    recorded: times.identified_at,
    activity: { coding: [{ system: `${HL7}/v3-DataOperation`, code: 'CREATE' }] },
    agent: [
      {
        type: { coding: [{ system: `${HL7}/provenance-participant-type`, code: 'author' }] },
        who: referenceToPerson(raisedBy),
      },
    ],
  };
}

function unique<Person extends { readonly user_id: string }>(people: readonly Person[]): Person[] {
  return [...new Map(people.map((person) => [person.user_id, person])).values()];
}
