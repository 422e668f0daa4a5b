import type { CriticalDecision } from '@wardline/contract/chat/critical.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  Entry,
  ExaminationState,
  ExaminationSummary,
  moveExamination as endpoint,
} from '@wardline/contract/examinations/examinations.ts';
import { isOpen } from '@wardline/examination/critical-alert.ts';
import {
  type ExaminationEvent,
  eventTo,
  isEditable,
  transition,
  type VersionedState,
} from '@wardline/examination/transition.ts';
import { sql } from 'kysely';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { type Action, can } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { checkComplete, checkEntries } from './core/check-entries.ts';
import { checkRegions, withStoredRegions } from './core/check-regions.ts';
import { reciteFindings } from './core/cited-findings.ts';
import { decideCritical } from './core/critical-decisions.ts';
import type { ExaminationDeps, HeldAlerts, OpenedChat } from './core/deps.ts';
import { examinationChanged } from './core/examination-changed.ts';
import {
  type ExaminationRecord,
  listCritical,
  listEntries,
  lockExamination,
  storeEntries,
} from './core/examination-queries.ts';
import { describeLastChange, findMadeVersion, insertMove, isDone, type Press } from './core/move-queries.ts';
import { markInError, signExamination, writeExamination } from './core/policy.ts';
import { insertReport, listReports } from './core/report-queries.ts';
import { type OpenedExamination, requireExamination, serializeExamination } from './core/require-examination.ts';

type Endpoint = typeof endpoint;

/** Who may do what; what a state allows is asked after it. */
const MAY: Readonly<Record<ExaminationEvent, Action<OpenedChat>>> = {
  ...{ request: writeExamination, start: writeExamination, return: writeExamination, cancel: writeExamination },
  ...{ sign: signExamination, amend: signExamination, mark_in_error: markInError },
};

/** Moves an examination on (CHAT-7): its state, a signed version, the line in the chat and the audit entry, or nothing. Once a press. */
export function moveExamination(deps: ExaminationDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, examinationId: params.examination };
    const seen = await requireExamination(deps, db, question);
    requireAnyRight(actor, seen.chat);
    return write('examination.move', async (tx) => {
      const decision = body.critical ?? null;
      const held = await deps.critical.hold(tx, {
        ...{ actor, chatId: seen.chat.id, examinationId: params.examination, decision },
      });
      await lockExamination(tx, params.examination);
      const opened = await requireExamination(deps, tx, question);
      const { chat, examination } = opened;
      const press = toPress(actor, examination, body);
      if (press && (await isDone(tx, press))) {
        return { result: await serializeExamination(deps, tx, { actor, opened }), audit: null };
      }
      const reason = body.reason ?? null;
      await requireFollowed(tx, actor, examination, body);
      const { event, next } = await decide(tx, actor, opened, { ...body, reason });
      const isSigning = next.reportVersion > examination.report_version;
      const signing = { actor, examination, version: next.version, reportVersion: next.reportVersion, reason };
      const before = isSigning ? await listLastEntries(tx, examination) : [];
      const signedAt = deps.now?.() ?? new Date();
      const inputs = body.entries ?? [];
      await enter(tx, deps, { ...signing, inputs, isSigning });
      const signed = isSigning ? await sign(tx, deps, { ...signing, signedAt }) : null;
      await storeMove(tx, { ...signing, event, next, press, critical: signed?.critical ?? null });
      const line = formatLine(event, {
        ...examination,
        reportVersion: next.reportVersion,
        reason,
        critical: signed?.critical ?? [],
        decision,
      });
      const act = { kind: 'examination', id: examination.id } as const;
      const said = await deps.chats.say(tx, { actor, chatId: chat.id, facilityId: chat.facilityId, body: line, act });
      const called = await callAbout(tx, deps, {
        ...{ actor, examination, event, held, before, after: signed?.entries ?? null, decision },
        reportVersion: next.reportVersion,
      });
      const recited = await reciteFindings(tx, deps, examination);
      const detail = {
        chat: chat.id,
        event,
        from: examination.state,
        to: next.state,
        version: next.version,
        ...(inputs.length > 0 && !isSigning && { fields: inputs.map(({ field }) => field) }),
        ...signed?.audit,
        ...called.audit,
      };
      return {
        result: await serializeExamination(deps, tx, { actor, opened: await requireExamination(deps, tx, question) }),
        audit: { facilityId: chat.facilityId, objectType: 'examination', objectId: examination.id, detail },
        publish: examinationChanged({ id: examination.id, chatId: chat.id, version: next.version }),
        // The answer does not say it: who did it reads the line as all others do.
        publishToAll: [...said, ...called.publish, ...recited],
      };
    });
  };
}

interface Storing extends Pick<Signing, 'actor' | 'examination' | 'reason'> {
  readonly event: ExaminationEvent;
  readonly next: VersionedState;
  readonly press: Press | null;
  /** Of the report that was signed; null where none was. */
  readonly critical: ExaminationSummary['critical'] | null;
}

/** The state that comes of it, and that this press made it. */
async function storeMove(tx: Transaction, { actor, examination, reason, event, next, press, critical }: Storing) {
  const { state, version, reportVersion: report_version } = next;
  const { userId } = actor;
  await tx
    .updateTable('examinations')
    .set({
      ...{ state, version, report_version, updated_at: sql<Date>`now()` },
      ...(event === 'request' && { requested_by: userId, requested_at: sql<Date>`now()` }),
      ...(reason !== null && { reason, reason_by: userId, reason_at: sql<Date>`now()` }),
      ...(critical && { critical: JSON.stringify(critical) }),
    })
    .where('id', '=', examination.id)
    .execute();
  await insertMove(tx, { examinationId: examination.id, userId, version, event, press });
}

interface Calling {
  readonly actor: Actor;
  readonly examination: ExaminationRecord;
  readonly event: ExaminationEvent;
  readonly held: HeldAlerts;
  readonly reportVersion: number;
  readonly before: readonly Entry[];
  /** What the report says; null where none was signed. */
  readonly after: readonly Entry[] | null;
  readonly decision: CriticalDecision | null;
}

/** What a move means to those who are called, or are to be: a signature decides, and a mark of an error ends it all. */
async function callAbout(tx: Transaction, deps: ExaminationDeps, { event, after, ...signed }: Calling) {
  const { actor, examination, held, decision } = signed;
  if (after !== null) return decideCritical(tx, deps, { ...signed, after });
  if (decision !== null) throw invalidField('critical', 'This goes with a signature only.');
  if (event !== 'mark_in_error') return { publish: [], audit: {} };
  const alertIds = (await deps.critical.list(tx, examination.id)).filter(isOpen).map(({ id }) => id);
  if (alertIds.length === 0) return { publish: [], audit: {} };
  const note = 'The examination was entered in error.';
  const publish = await held.withdraw({ actor, chatId: examination.chat_id, alertIds, note });
  return { publish, audit: { withdrawn_alerts: alertIds } };
}

/** Of the report that holds until now; none before the first. */
async function listLastEntries(tx: Transaction, { id, report_version }: ExaminationRecord): Promise<readonly Entry[]> {
  if (report_version === 0) return [];
  const [last] = await listReports(tx, { examinationId: id, before: null, limit: 1 });
  return last?.entries ?? [];
}

type Body = InputOf<Endpoint>['body'];

/** What is asked for under the client id of a press; null of a client that names none. */
function toPress({ userId }: Actor, { id }: ExaminationRecord, { client_id, ...asked }: Body): Press | null {
  if (client_id === undefined) return null;
  const { to, expected_version, reason = null, entries = [], critical = null, after = null } = asked;
  const request = { to, expected_version, reason, entries, critical, after };
  return { examinationId: id, userId, clientId: client_id, request };
}

/** What was pressed after an earlier move counts on the version that came of that one, and of no other one's. */
async function requireFollowed(
  tx: Transaction,
  { userId }: Actor,
  examination: ExaminationRecord,
  { after, expected_version }: Body,
): Promise<void> {
  if (!after) return;
  const made = await findMadeVersion(tx, { examinationId: examination.id, userId, clientId: after });
  if (made === expected_version) return;
  throw new AppError('conflict', { message: 'The step before this one was not done.' });
}

interface Wanted {
  readonly to: ExaminationState;
  readonly expected_version: number;
  readonly reason: string | null;
}

/** What it becomes. A stale version is told before a missing right: who saw another state is told that. */
async function decide(
  tx: Transaction,
  actor: Actor,
  { chat, examination }: OpenedExamination,
  { to, expected_version, reason }: Wanted,
) {
  const event = eventTo(examination.state, to);
  if (examination.version !== expected_version || event === null) {
    throw new AppError('conflict', { message: await describeLastChange(tx, examination) });
  }
  await authorizeNow(tx, actor, MAY[event], chat);
  if (examination.origin !== null && event !== 'mark_in_error') {
    throw new AppError('conflict', { message: 'This report was imported. It is changed where it was made.' });
  }
  const now = { ...examination, reportVersion: examination.report_version };
  const change = transition(now, { event, expectedVersion: expected_version, reason });
  if (change.kind === 'no_reason') throw invalidField('reason', 'Say why.');
  if (change.kind !== 'changed') throw new AppError('conflict');
  return { event, next: change.next };
}

/** Whoever may do nothing of it learns nothing of its state either. */
function requireAnyRight(actor: Actor, chat: OpenedChat): void {
  if (!Object.values(MAY).some((action) => can(actor, action, chat))) throw new AppError('forbidden');
}

interface Signing {
  readonly actor: Actor;
  readonly examination: ExaminationRecord;
  readonly version: number;
  readonly reportVersion: number;
  readonly reason: string | null;
  readonly signedAt: Date;
}

interface Entering extends Pick<Signing, 'actor' | 'examination' | 'version'> {
  readonly inputs: Parameters<typeof checkEntries>[1];
  readonly isSigning: boolean;
}

/** The last values, which come with the move that they were typed before. */
async function enter(
  tx: Transaction,
  deps: ExaminationDeps,
  { actor, examination, version, inputs, isSigning }: Entering,
): Promise<void> {
  if (inputs.length === 0) return;
  const { id, chat_id: chatId, template, subject, state } = examination;
  if (!isSigning && !isEditable(state)) throw invalidField('entries', 'No values are entered in this state.');
  const held = await listEntries(tx, id);
  const given = withStoredRegions(inputs, held);
  const last = checkEntries(template, given, subject);
  await checkRegions(deps, tx, { chatId, userId: actor.userId, template, inputs: given, stored: held });
  await storeEntries(tx, { examinationId: id, userId: actor.userId, version }, last);
}

/** The report of all that is entered; each flag is made anew from it. */
async function sign(
  tx: Transaction,
  deps: ExaminationDeps,
  { actor, examination, reportVersion, reason, signedAt }: Omit<Signing, 'version'>,
) {
  const { id, chat_id: chatId, template, subject } = examination;
  const stored = (await listEntries(tx, id)).filter(({ value }) => value !== '');
  const ofField = (code: string) => stored.filter(({ field }) => field === code);
  // In the order of the form, so that the same report is the same text.
  const entries = checkEntries(
    template,
    template.fields.flatMap(({ code }) => ofField(code)),
    subject,
  );
  checkComplete(template, entries);
  const signer = { user_id: actor.userId, name: actor.name };
  const ids = entries.flatMap(({ regions = [] }) => regions.map(({ attachment_id }) => attachment_id));
  const pictures = await deps.chats.namePictures(tx, { chatId, ids: [...new Set(ids)] });
  const report = { examination, version: reportVersion, signer, reason, entries, pictures, signedAt };
  const sha256 = await insertReport(tx, report);
  await tx
    .insertInto('examination_receipts')
    .values({ examination_id: id, user_id: actor.userId, version: reportVersion, kind: 'read' })
    .execute();
  return { entries, critical: listCritical(template.fields, entries), audit: { report: reportVersion, sha256 } };
}

interface About {
  readonly title: string;
  readonly reportVersion: number;
  readonly reason: string | null;
  readonly critical: ExaminationSummary['critical'];
  readonly decision: CriticalDecision | null;
}

/** What was done, said without the name, with why and with what is critical. */
function formatLine(event: ExaminationEvent, { title, reportVersion, reason, critical, decision }: About): string {
  const why = reason === null ? '' : `: ${reason}`;
  const found = critical.map(({ label, value, interpretation }) => `${label} ${value}, ${interpretation}`).join('; ');
  const uncalled = decision?.kind === 'none' ? `. No alert: ${decision.reason}` : '';
  const grave = (found ? `. Critical: ${found}` : '') + uncalled;
  switch (event) {
    case 'request':
      return `requested: ${title}`;
    case 'start':
      return `started: ${title}`;
    case 'return':
      return `returned the request: ${title}${why}`;
    case 'sign':
      return `signed: ${title}, version ${reportVersion}${grave}`;
    case 'amend':
      return `amended: ${title}, version ${reportVersion}${why}${grave}`;
    case 'cancel':
      return `cancelled: ${title}${why}`;
    case 'mark_in_error':
      return `marked as entered in error: ${title}${why}`;
  }
}
