import type { CriticalDecision, CriticalFinding } from '@wardline/contract/chat/critical.ts';
import type { Entry, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import { criticalFindings, criticalQuestion, STATEMENT_MAX } from '@wardline/examination/critical-findings.ts';
import { type ExaminationEvent, transition } from '@wardline/examination/transition.ts';
import { sql } from 'kysely';
import { writeFhir } from '#/platform/fhir/fhir-json.ts';
import { idOf } from '#/platform/fhir/resources.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { newId } from '#/platform/new-id.ts';
import { reciteFindings } from '../core/cited-findings.ts';
import { decideCritical } from '../core/critical-decisions.ts';
import type { CaseOfPatient, ExaminationDeps } from '../core/deps.ts';
import { examinationChanged } from '../core/examination-changed.ts';
import {
  type ExaminationRecord,
  findExamination,
  findPatient,
  listCritical,
  listEntries,
  lockExamination,
  storeEntries,
} from '../core/examination-queries.ts';
import { keepForm } from '../core/kept-form.ts';
import type { Origin } from '../core/origin.ts';
import { insertReport } from '../core/report-queries.ts';
import { listTemplateRows } from '../core/template-queries.ts';
import { laboratoryForm } from './laboratory-form.ts';
import type { LaboratoryReport } from './laboratory-report.ts';

/** Where a report goes. */
export interface Filing {
  /** Whose act it is: the product's own, or who assigned it. */
  readonly actor: Actor;
  readonly facilityId: string;
  readonly chat: Pick<CaseOfPatient, 'id'>;
  readonly report: LaboratoryReport;
  /** An examination that becomes this report: one that was filed before, or one that was asked for here. */
  readonly examinationId: string | null;
  readonly criticalRoleId: string | null;
  readonly now: Date;
}

type AlertDecision = CriticalDecision & { readonly kind: 'alert' };

interface Filed {
  readonly examinationId: string;
  /** As it is stored with the result. */
  readonly origin: string;
  readonly publish: readonly Publication[];
  readonly publishToAll: readonly Publication[];
  readonly audit: object;
}

export const MOST_TEMPLATES = 200;

/**
 * Puts a report into a chat, in the caller's transaction: an examination, or the next version of one; a line in the chat; and where a
 * finding is critical and new, an alert (EXAM-5). Nobody is asked to decide that first: who could is not there when it comes.
 */
export async function fileReport(deps: ExaminationDeps, tx: Transaction, filing: Filing): Promise<Filed> {
  const { actor, facilityId, chat, report, now } = filing;
  const examinationId = filing.examinationId ?? newId();
  const patient = await findPatient(tx, chat.id);
  if (patient === null) throw new Error('a result is filed in a chat about nobody');
  const roleId = (await deps.critical.roleOfBed(tx, { facilityId, bed: patient.bed })) ?? filing.criticalRoleId;
  const alert: AlertDecision = { kind: 'alert', category: 'minutes', targets: { people: [], role_id: roleId } };
  const held = await deps.critical.hold(tx, {
    ...{ actor, chatId: chat.id, examinationId, decision: alert, callsEveryone: roleId === null },
  });
  const before = await begin(tx, { ...filing, examinationId, isNew: filing.examinationId === null });
  const templates = await listTemplateRows(tx, { facilityId, limit: MOST_TEMPLATES });
  const { form, entries } = laboratoryForm(report, { templates, subject: before.examination.subject });
  const asked = before.examination.template.fields.filter(({ part }) => part === 'request');
  const fields = [...asked.filter(({ code }) => !form.fields.some((field) => field.code === code)), ...form.fields];
  const isChanged = before.examination.report_version === 0 || !isSame(before.entries, entries);
  const next = isChanged ? await sign(tx, { ...filing, before, form: { ...form, fields }, entries }) : null;
  const origin = await storeOrigin(tx, { ...filing, examinationId });
  const examination = await requireRecord(tx, { examinationId, userId: actor.userId });
  const critical = next
    ? await decideCritical(tx, deps, {
        ...{ actor, examination, held, reportVersion: next.reportVersion, before: before.entries, after: entries },
        decision: await decisionFor(tx, deps, { examination, before, entries, alert }),
      })
    : { publish: [], audit: {} };
  const body = lineOf(report, { isFirst: before.examination.report_version === 0, isChanged, examination });
  const act = { kind: 'examination', id: examinationId } as const;
  const said = await deps.chats.say(tx, { actor, chatId: chat.id, facilityId, body, act });
  const recited = next ? await reciteFindings(tx, deps, examination) : [];
  return {
    ...{ examinationId, origin },
    publish: examinationChanged({ id: examinationId, chatId: chat.id, version: examination.version }),
    publishToAll: [...said, ...critical.publish, ...recited],
    audit: {
      chat: chat.id,
      report: examination.report_version,
      status: report.status,
      at: now.toISOString(),
      ...critical.audit,
    },
  };
}

interface Before {
  readonly examination: ExaminationRecord;
  /** That hold until now. */
  readonly entries: readonly Entry[];
}

interface Beginning extends Filing {
  readonly examinationId: string;
  readonly isNew: boolean;
}

/** The examination as it stands, or a new one that was asked for and begun elsewhere. */
async function begin(
  tx: Transaction,
  { actor, facilityId, chat, report, now, examinationId, isNew }: Beginning,
): Promise<Before> {
  if (isNew) {
    const form = { type: 'laboratory', name: report.title, is_imported: true, fields: [] };
    await tx
      .insertInto('examinations')
      .values({
        ...{ id: examinationId, chat_id: chat.id, facility_id: facilityId, client_id: newId(), state: 'in_progress' },
        ...{ template_id: await keepForm(tx, facilityId, form), template_version: 1, created_by: actor.userId },
        created_at: report.observedAt ?? now,
      })
      .execute();
  }
  await lockExamination(tx, examinationId);
  const examination = await requireRecord(tx, { examinationId, userId: actor.userId });
  const entries = (await listEntries(tx, examinationId)).filter(({ value }) => value !== '');
  return { examination, entries };
}

async function requireRecord(tx: Transaction, asked: { examinationId: string; userId: string }) {
  const examination = await findExamination(tx, asked);
  if (examination === null) throw new Error('an examination is gone under its lock');
  return examination;
}

function isSame(before: readonly Entry[], after: readonly Entry[]): boolean {
  const key = ({ field, value, interpretation, observed_at }: Entry) =>
    JSON.stringify([field, value, interpretation, observed_at ?? null]);
  const known = new Set(before.map(key));
  const now = after.filter(({ value }) => value !== '');
  // What was asked for with the request stands beside the findings, and is not the laboratory's.
  const own = before.filter(({ field }) => after.some((entry) => entry.field === field));
  return now.length === own.length && now.every((entry) => known.has(key(entry)));
}

interface Signing extends Filing {
  readonly before: Before;
  readonly form: Omit<ExaminationTemplate, 'id' | 'version'>;
  readonly entries: readonly Entry[];
}

/** The next version of the report, by the only way an examination changes its state (CHAT-7). What is signed is that it was received. */
async function sign(tx: Transaction, { actor, facilityId, report, now, before, form, entries }: Signing) {
  const { id, report_version, state } = before.examination;
  const reason = reasonOf(report);
  const events: ExaminationEvent[] =
    state === 'requested' ? ['start', 'sign'] : [report_version > 0 ? 'amend' : 'sign'];
  let next = { state, version: before.examination.version, reportVersion: report_version };
  for (const event of events) {
    const changed = transition(next, { event, expectedVersion: next.version, reason });
    if (changed.kind !== 'changed') throw new Error(`a result cannot be filed in an examination that is ${state}`);
    next = changed.next;
  }
  await storeEntries(tx, { examinationId: id, userId: actor.userId, version: next.version }, entries);
  await tx
    .updateTable('examinations')
    .set({
      ...{ state: next.state, version: next.version, report_version: next.reportVersion, updated_at: sql<Date>`now()` },
      ...{ template_id: await keepForm(tx, facilityId, form), template_version: 1 },
      critical: JSON.stringify(listCritical(form.fields, entries)),
      ...(next.reportVersion > 1 && { reason, reason_by: actor.userId, reason_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute();
  const examination = await requireRecord(tx, { examinationId: id, userId: actor.userId });
  const signer = { user_id: actor.userId, name: actor.name };
  const held = (await listEntries(tx, id)).filter(({ value }) => value !== '');
  const signed = form.fields.flatMap(({ code }) =>
    held.flatMap(({ by: _, at: __, version: ___, ...entry }) => (entry.field === code ? [entry] : [])),
  );
  const given = { examination, version: next.reportVersion, signer, reason, entries: signed, pictures: [] };
  await insertReport(tx, { ...given, signedAt: now });
  return next;
}

const STATUS_LABELS = {
  preliminary: 'preliminary',
  final: 'final',
  corrected: 'corrected',
  cancelled: 'cancelled',
} as const;

function reasonOf({ status, laboratory, number }: LaboratoryReport): string {
  return `${status === 'corrected' ? 'Corrected' : status === 'cancelled' ? 'Cancelled' : 'Reported'} by the laboratory (${laboratory}, ${number})`.slice(
    0,
    500,
  );
}

/** Keeps of whom and by which number it is, as of what was taken from a file (068). */
async function storeOrigin(
  tx: Transaction,
  { actor, facilityId, chat, report, examinationId, now }: Filing & { readonly examinationId: string },
): Promise<string> {
  const { key, laboratory, number, status, observedAt, reportedAt, patient } = report;
  const id = (name: string) => idOf(facilityId, `laboratory|${name}|${chat.id}|${key}`);
  const system = `urn:uuid:${idOf(facilityId, `laboratory|${laboratory}`)}`;
  const origin: Origin = {
    ...{ identifier: { system, value: number }, source: patient.identifiers[0]?.authority ?? null },
    ...{ status, effective_at: observedAt ?? reportedAt },
    ...{ issued_at: reportedAt, performers: [{ user_id: idOf(facilityId, laboratory), name: laboratory }] },
    ...{ requester: null, authored_on: null, presented: null, kept: [] },
    ids: { report: id('report'), request: null, patient: id('patient') },
    observations: report.findings.map(({ key: finding }, index) => [id(finding), `f${index + 1}`]),
    laboratory: status,
  };
  const text = writeFhir(origin);
  const row = { examination_id: examinationId, chat_id: chat.id, facility_id: facilityId, origin: text };
  await tx
    .insertInto('examination_imports')
    // The same report may stand there already, marked as entered in error.
    .values({
      ...{ ...row, identifier: `laboratory|${key}|${examinationId}`, report_id: origin.ids.report },
      ...{ imported_by: actor.userId, imported_at: now },
    })
    // What came first is never changed; what holds now stands with the result that said it.
    .onConflict((conflict) => conflict.column('examination_id').doNothing())
    .execute();
  return text;
}

interface Deciding {
  readonly examination: ExaminationRecord;
  readonly before: Before;
  readonly entries: readonly Entry[];
  readonly alert: AlertDecision;
}

/** An alert where something critical is new; a long text is read back by its beginning. */
async function decisionFor(tx: Transaction, deps: ExaminationDeps, { examination, before, entries, alert }: Deciding) {
  const findings = (given: readonly Entry[]) => criticalFindings(examination.template.fields, given);
  const alerts = await deps.critical.list(tx, examination.id);
  const { undecided } = criticalQuestion({ before: findings(before.entries), after: findings(entries), alerts });
  return undecided.length > 0 ? { ...alert, statements: statementsOf(undecided) } : null;
}

function statementsOf(findings: readonly CriticalFinding[]) {
  return findings.flatMap(({ field, value }) =>
    value.length > STATEMENT_MAX ? [{ field, text: value.slice(0, STATEMENT_MAX).trim() }] : [],
  );
}

interface Told {
  readonly isFirst: boolean;
  readonly isChanged: boolean;
  readonly examination: ExaminationRecord;
}

/** One line a message: what came, how sure it is, what is critical. */
function lineOf({ title, status, laboratory }: LaboratoryReport, { isFirst, isChanged, examination }: Told): string {
  const found = examination.critical.map(({ label, value, interpretation }) => `${label} ${value}, ${interpretation}`);
  const grave = found.length > 0 && isChanged ? `. Critical: ${found.join('; ')}` : '';
  const version = isFirst ? '' : isChanged ? `, version ${examination.report_version}` : ', nothing changed';
  return `received from the laboratory (${laboratory}): ${title}, ${STATUS_LABELS[status]}${version}${grave}`;
}
