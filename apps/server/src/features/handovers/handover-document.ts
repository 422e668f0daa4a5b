import {
  HANDOVER_SECTIONS,
  type Handover,
  type HandoverAction,
  type HandoverLine,
  type HandoverSection,
  type HandoverSource,
  type HandoverState,
  type HandoverVersion,
} from '@wardline/contract/examinations/handovers.ts';
import {
  collection,
  HL7,
  hashIdentifier,
  idOf,
  patientOf,
  practitioner,
  type Resource,
  referenceTo,
  referenceToPerson,
  URI,
} from '#/platform/fhir/resources.ts';

/** A hand-over with the texts that were signed of the sheet that stands, byte for byte. */
export interface SignedHandover {
  readonly handover: Handover;
  readonly sheetText: string;
  /** Null before it is received. */
  readonly receiptText: string | null;
}

const FORMATS = { ipass: 'I-PASS hand-over', sbar: 'SBAR hand-over' } as const;
const TITLES: Readonly<Record<HandoverSection, string>> = {
  ...{ situation: 'Situation', background: 'Background', assessment: 'Assessment', recommendation: 'Recommendation' },
  ...{ summary: 'Patient summary', awareness: 'Situation awareness and contingency plans' },
};
const SYNTHESIS = { ipass: 'Synthesis by receiver', sbar: 'Read-back by receiver' } as const;
/** Of the task to take the patient over. */
const TAKING: Readonly<Record<HandoverState, string>> = {
  ...{ given: 'requested', received: 'accepted', declined: 'rejected', withdrawn: 'cancelled' },
};
/** Of an action that is not done. */
const OPEN: Readonly<Record<HandoverState, string>> = {
  ...{ given: 'requested', received: 'accepted', declined: 'requested', withdrawn: 'cancelled' },
};

/**
 * A hand-over as a FHIR R4 document (HAND-1): the sheet that stands as a Composition that both attest, the taking over and each action as a
 * Task, a Provenance for each signature and each action that is done, and the texts that were signed.
 */
export function handoverDocument(signed: SignedHandover, at: Date): object {
  const { handover } = signed;
  const instance = idOf(handover.id, `file ${at.toISOString()}`);
  return {
    ...collection(documentResources(signed), at),
    type: 'document',
    identifier: { system: URI, value: `urn:uuid:${instance}` },
  };
}

function documentResources(signed: SignedHandover): Resource[] {
  const { handover } = signed;
  const { versions, done, ended } = handover;
  const [sheet] = versions;
  if (sheet === undefined) throw new Error('a hand-over without a sheet');
  const { patient, actions, to, given } = sheet;
  const signatures = versions.flatMap((version) => [version.given, ...(version.receipt ? [version.receipt] : [])]);
  const people = [given.by, to, ...signatures.map(({ by }) => by), ...done.map(({ by }) => by)];
  return [
    composition(handover, sheet),
    ...(patient ? [patientOf(handover.facility_id, patient)] : []),
    ...[...people, ...(ended ? [ended.by] : [])].map(practitioner),
    takingOver(handover, sheet),
    ...actions.map((action) => actionTask(handover, sheet, action)),
    ...signedTexts(signed, sheet),
    ...versions.flatMap((version, index) => provenances(handover, version, versions[index + 1])),
    ...done.map((one) => doneProvenance(handover, one)),
  ];
}

function subjectOf({ facility_id }: Handover, { patient }: HandoverVersion) {
  return patient && referenceTo(patientOf(facility_id, patient), patient.name);
}

/** What was taken back must not be read as if it stood. */
function statusOf({ state }: Handover, { version }: HandoverVersion): string {
  if (state === 'withdrawn') return 'entered-in-error';
  return version > 1 ? 'amended' : 'final';
}

function composition(handover: Handover, sheet: HandoverVersion): Resource {
  const { format, given, receipt, severity, lines, actions, sha256, reason } = sheet;
  const subject = subjectOf(handover, sheet);
  const [, before] = handover.versions;
  return {
    resourceType: 'Composition',
    id: handover.id,
    identifier: hashIdentifier(sha256),
    status: statusOf(handover, sheet),
    // No code of LOINC says hand-over between shifts: its transfer notes are of another event.
    type: { text: FORMATS[format] },
    ...(subject ? { subject } : {}),
    date: given.at,
    author: [referenceToPerson(given.by)],
    title: `${FORMATS[format]}${reason === null ? '' : `, version ${sheet.version}: ${reason}`}`,
    attester: [given, ...(receipt ? [receipt] : [])].map(({ by, at }) => ({
      ...{ mode: 'professional', time: at, party: referenceToPerson(by) },
    })),
    ...(before ? { relatesTo: [{ code: 'replaces', targetIdentifier: hashIdentifier(before.sha256) }] } : {}),
    section: [
      ...(severity ? [section('Illness severity', [severity])] : []),
      ...HANDOVER_SECTIONS[format].flatMap((part) => {
        const said = lines.filter((line) => line.section === part);
        return said.length === 0 ? [] : [linesSection(TITLES[part], said)];
      }),
      ...(actions.length > 0 ? [actionsSection(handover, actions)] : []),
      ...(receipt ? [section(SYNTHESIS[format], [receipt.synthesis])] : []),
    ],
  };
}

function section(title: string, paragraphs: readonly string[]) {
  return { title, code: { text: title }, text: narrative(paragraphs) };
}

/** What was said, and where from: what it leads to is named, and is in the file of the examination or of the chat. */
function linesSection(title: string, lines: readonly HandoverLine[]) {
  const sources = new Map(lines.flatMap(({ source }) => (source ? [[source.id, source] as const] : [])));
  return {
    ...section(title, lines.map(formatLine)),
    ...(sources.size > 0 ? { entry: [...sources.values()].map(sourceReference) } : {}),
  };
}

function formatLine({ text, source }: HandoverLine): string {
  return source ? `${text} (${source.label}, ${source.at})` : text;
}

function sourceReference({ kind, id, label }: HandoverSource) {
  const type = kind === 'examination' ? 'DiagnosticReport' : 'Communication';
  return { type, identifier: { system: URI, value: `urn:uuid:${id}` }, display: label };
}

function actionsSection(handover: Handover, actions: readonly HandoverAction[]) {
  const said = actions.map(({ text, owner, due_at }) =>
    [text, owner, due_at && `by ${due_at}`].filter(Boolean).join(', '),
  );
  return {
    ...section('Action list', said),
    entry: actions.map(({ id, text }) => referenceTo({ id: taskId(handover, id) }, text)),
  };
}

function narrative(paragraphs: readonly string[]) {
  const body = paragraphs.map((text) => `<p>${escapeXhtml(text)}</p>`).join('');
  return { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${body}</div>` };
}

function escapeXhtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\n/g, '<br/>');
}

function takingOverId({ id }: Handover): string {
  return idOf(id, 'taking over');
}

/** Devices make the ids of actions: within a file two things could have the same. */
function taskId({ id }: Handover, actionId: string): string {
  return idOf(id, `action ${actionId}`);
}

/** Whom the patient goes to, and what they have said to that. */
function takingOver(handover: Handover, sheet: HandoverVersion): Resource {
  const { state, ended } = handover;
  const { to, role, given, receipt } = sheet;
  const subject = subjectOf(handover, sheet);
  return {
    resourceType: 'Task',
    id: takingOverId(handover),
    status: TAKING[state],
    ...(ended ? { statusReason: { text: ended.reason } } : {}),
    intent: 'order',
    code: { text: 'Take the patient over' },
    focus: referenceTo(handover),
    ...(subject ? { for: subject } : {}),
    authoredOn: given.at,
    lastModified: ended?.at ?? receipt?.at ?? given.at,
    requester: referenceToPerson(given.by),
    ...(role === null ? {} : { performerType: [{ text: role }] }),
    owner: referenceToPerson(receipt?.by ?? to),
    ...(ended ? { note: [{ authorReference: referenceToPerson(ended.by), time: ended.at, text: ended.reason }] } : {}),
  };
}

function actionTask(handover: Handover, sheet: HandoverVersion, { id, text, owner, due_at }: HandoverAction): Resource {
  const done = handover.done.find(({ action_id }) => action_id === id);
  const subject = subjectOf(handover, sheet);
  return {
    resourceType: 'Task',
    id: taskId(handover, id),
    partOf: [referenceTo({ id: takingOverId(handover) })],
    status: done ? 'completed' : OPEN[handover.state],
    intent: 'order',
    description: text,
    focus: referenceTo(handover),
    ...(subject ? { for: subject } : {}),
    ...(done ? { executionPeriod: { end: done.at } } : {}),
    authoredOn: sheet.given.at,
    lastModified: done?.at ?? sheet.given.at,
    requester: referenceToPerson(sheet.given.by),
    // Said in words: somebody on the ward, whose account is not known.
    ...(owner === '' ? {} : { owner: { display: owner } }),
    ...(due_at === null ? {} : { restriction: { period: { end: due_at } } }),
  };
}

/** The texts of the sheet that stands and of its receipt: their SHA-256 is what a Provenance names. */
function signedTexts({ handover, sheetText, receiptText }: SignedHandover, sheet: HandoverVersion): Resource[] {
  const { version, given, receipt } = sheet;
  const subject = subjectOf(handover, sheet);
  const document = (name: string, sha256: string, signature: HandoverVersion['given'], text: string): Resource => ({
    resourceType: 'DocumentReference',
    id: idOf(handover.id, `${name} ${version}`),
    masterIdentifier: hashIdentifier(sha256),
    status: handover.state === 'withdrawn' ? 'entered-in-error' : 'current',
    type: { text: `${name} of a hand-over, version ${version}, as it was signed` },
    ...(subject ? { subject } : {}),
    date: signature.at,
    author: [referenceToPerson(signature.by)],
    content: [
      {
        attachment: {
          contentType: 'application/json',
          data: Buffer.from(text).toString('base64'),
          creation: signature.at,
        },
      },
    ],
  });
  return [
    document('Sheet', sheet.sha256, given, sheetText),
    ...(receipt && receiptText !== null ? [document('Receipt', receipt.sha256, receipt, receiptText)] : []),
  ];
}

/** Who signed a version, why and after which; and who received it. */
function provenances(handover: Handover, version: HandoverVersion, before: HandoverVersion | undefined): Resource[] {
  const { given, receipt, reason, sha256 } = version;
  const target = [referenceTo(handover, `Version ${version.version}`)];
  return [
    {
      resourceType: 'Provenance',
      id: idOf(handover.id, `signed ${version.version}`),
      target,
      recorded: given.at,
      ...(reason === null ? {} : { reason: [{ text: reason }] }),
      activity: { coding: [{ system: `${HL7}/v3-DataOperation`, code: before ? 'UPDATE' : 'CREATE' }] },
      agent: [agent('author', given)],
      entity: [
        signedText('source', sha256, `Signed text of version ${version.version}`),
        ...(before ? [signedText('revision', before.sha256, `Signed text of version ${before.version}`)] : []),
      ],
    },
    ...(receipt
      ? [
          {
            resourceType: 'Provenance',
            id: idOf(handover.id, `received ${version.version}`),
            target,
            recorded: receipt.at,
            activity: { text: 'Received' },
            agent: [agent('attester', receipt)],
            entity: [signedText('source', receipt.sha256, `Signed receipt of version ${version.version}`)],
          },
        ]
      : []),
  ];
}

function doneProvenance(handover: Handover, { action_id, by, at }: Handover['done'][number]): Resource {
  return {
    resourceType: 'Provenance',
    id: idOf(handover.id, `done ${action_id}`),
    target: [referenceTo({ id: taskId(handover, action_id) })],
    recorded: at,
    activity: { text: 'Done' },
    agent: [agent('performer', { by, at })],
  };
}

function agent(code: 'author' | 'attester' | 'performer', { by }: HandoverVersion['given']) {
  return {
    type: { coding: [{ system: `${HL7}/provenance-participant-type`, code }] },
    who: referenceToPerson(by),
  };
}

function signedText(role: 'source' | 'revision', sha256: string, display: string) {
  return { role, what: { identifier: hashIdentifier(sha256), display } };
}
