import { createHash } from 'node:crypto';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { importExaminations as endpoint, ImportRow } from '@wardline/contract/examinations/imports.ts';
import { criticalFindings } from '@wardline/examination/critical-findings.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { sql } from 'kysely';
import { writeFhir } from '#/platform/fhir/fhir-json.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { Change, RequestContext, Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import type { ExaminationDeps, OpenedChat } from './core/deps.ts';
import { examinationChanged } from './core/examination-changed.ts';
import { findPatient, listCritical, storeEntries } from './core/examination-queries.ts';
import { keepForm } from './core/kept-form.ts';
import { signExamination } from './core/policy.ts';
import { insertReport } from './core/report-queries.ts';
import { requireExamination } from './core/require-examination.ts';
import type { Told } from './fhir/import/imported-finding.ts';
import { picturesPointedTo, withPlaces } from './fhir/import/imported-places.ts';
import { type ImportedReport, readReports } from './fhir/import/imported-report.ts';
import { type ReadBundle, readBundle } from './fhir/import/read-bundle.ts';

type Endpoint = typeof endpoint;

const MOST_ROWS = 500;
const MOST_REPORTS = 200;

/** Takes reports from elsewhere into a chat about the same patient. What is there stays as it is; the same report comes once. */
export function importExaminations(deps: ExaminationDeps) {
  return async (
    ctx: RequestContext,
    file: Buffer,
    { params, query }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const { actor, db, write } = ctx;
    const question = { actor, chatId: params.chat };
    const seen = await deps.chats.open(db, question);
    authorize(actor, signExamination, seen);
    const file_hash = createHash('sha256').update(file).digest('hex');
    const bundle = readBundle(file);
    const now = deps.now?.() ?? new Date();
    if (query.apply !== 'true') {
      return {
        ...describe(bundle, await plan(deps, db, { actor, chat: seen, bundle, now })),
        is_applied: false,
        file_hash,
      };
    }
    return write('examination.import', async (tx): Promise<Change<ReplyOf<Endpoint>>> => {
      await deps.chats.lock(tx, params.chat);
      const chat = await deps.chats.open(tx, question);
      await authorizeNow(tx, actor, signExamination, chat);
      const planned = await plan(deps, tx, { actor, chat, bundle, now });
      const told = describe(bundle, planned);
      // One report that cannot be taken keeps the whole file out.
      if (told.counts.refused > 0) return { result: { ...told, is_applied: false, file_hash }, audit: null };
      const publish: Publication[] = [];
      const publishToAll: Publication[] = [];
      const made: string[] = [];
      for (const one of planned) {
        if (one.outcome !== 'new') continue;
        const id = await takeOver(deps, tx, { actor, chat, now, report: one.report });
        const act = { kind: 'examination', id } as const;
        const body = `imported: ${one.report.template.name}`;
        const said = await deps.chats.say(tx, { actor, chatId: chat.id, facilityId: chat.facilityId, body, act });
        publish.push(...examinationChanged({ id, chatId: chat.id, version: 1 }));
        publishToAll.push(...said);
        made.push(id);
      }
      const detail = { chat: chat.id, file_hash, ...told.counts, examinations: made };
      const about = { objectType: 'chat', objectId: chat.id, detail };
      return {
        result: { ...told, is_applied: true, file_hash },
        audit: made.length > 0 ? { facilityId: chat.facilityId, ...about } : null,
        publish,
        publishToAll,
      };
    });
  };
}

type Planned =
  | {
      readonly outcome: 'new' | 'known';
      readonly report: ImportedReport;
      /** Pictures of the file that are in the chat. */
      readonly media: readonly string[];
      readonly hasOther: boolean;
    }
  | { readonly outcome: 'refused'; readonly line: number; readonly title: string; readonly refused: string };

interface Planning {
  readonly actor: RequestContext['actor'];
  readonly chat: OpenedChat;
  readonly bundle: ReadBundle;
  readonly now: Date;
}

/** What each report of the file would become in the chat as it stands. */
async function plan(
  { chats }: ExaminationDeps,
  db: RequestContext['db'] | Transaction,
  { actor, chat, bundle, now }: Planning,
): Promise<Planned[]> {
  const patient = await findPatient(db, chat.id);
  if (patient === null) throw new AppError('unprocessable', refusal('Only a chat about a patient has examinations.'));
  const read = readReports(bundle, { facilityId: chat.facilityId, patient, now });
  if (read.length === 0) throw new AppError('unprocessable', refusal('There is no report in this file.'));
  if (read.length > MOST_REPORTS) throw new AppError('unprocessable', refusal(`At most ${MOST_REPORTS} reports.`));
  const reports = read.flatMap((one) => ('refused' in one ? [] : [one]));
  const known = await findKnown(db, chat.id, reports);
  const hashes = [...new Set(reports.flatMap(picturesPointedTo))];
  const pictures = await chats.picturesByHash(db, { chatId: chat.id, userId: actor.userId, hashes });
  const seen = new Set<string>();
  return read.map((one): Planned => {
    if ('refused' in one) return { outcome: 'refused', ...one };
    const isKnown =
      known.identifiers.has(one.identifier) || known.own.has(one.origin.ids.report) || seen.has(one.identifier);
    seen.add(one.identifier);
    const hasOther = known.reports.has(one.origin.ids.report);
    return { outcome: isKnown ? 'known' : 'new', ...withPlaces(one, pictures), hasOther };
  });
}

function refusal(message: string) {
  return { message, fields: { file: [message] } };
}

/** Of these reports: which were imported into the chat, by identifier and by report, and which are the chat’s own. */
async function findKnown(db: RequestContext['db'] | Transaction, chatId: string, reports: readonly ImportedReport[]) {
  const ids = reports.map(({ origin }) => origin.ids.report);
  const identifiers = reports.map(({ identifier }) => identifier);
  const imported = await db
    .selectFrom('examination_imports')
    .select(['identifier', 'report_id'])
    .where('chat_id', '=', chatId)
    .where(sql<boolean>`(report_id = any(${ids}::uuid[]) or identifier = any(${identifiers}::text[]))`)
    .execute();
  const own = await db
    .selectFrom('examinations')
    .select('id')
    .where('chat_id', '=', chatId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return {
    identifiers: new Set(imported.map(({ identifier }) => identifier)),
    reports: new Set(imported.map(({ report_id }) => report_id)),
    own: new Set(own.map(({ id }) => id)),
  };
}

interface TakingOver {
  readonly actor: RequestContext['actor'];
  readonly chat: OpenedChat;
  readonly now: Date;
  readonly report: ImportedReport;
}

/** An examination of the time at which it was made elsewhere, by a form that is made of it; signed is that it was taken over. */
async function takeOver(
  deps: ExaminationDeps,
  tx: Transaction,
  { actor, chat, now, report }: TakingOver,
): Promise<string> {
  const { template, entries, state, origin, identifier } = report;
  const id = newId();
  const form = await keepForm(tx, chat.facilityId, { ...template, is_imported: true });
  await tx
    .insertInto('examinations')
    .values({
      ...{ id, chat_id: chat.id, facility_id: chat.facilityId, client_id: newId(), state, report_version: 1 },
      ...{ template_id: form, template_version: 1, created_by: actor.userId, created_at: origin.effective_at },
      critical: JSON.stringify(listCritical(template.fields, entries)),
    })
    .execute();
  await tx
    .insertInto('examination_imports')
    .values({
      ...{ examination_id: id, chat_id: chat.id, facility_id: chat.facilityId, identifier },
      ...{ report_id: origin.ids.report, origin: writeFhir(origin), imported_by: actor.userId, imported_at: now },
    })
    .execute();
  await storeEntries(tx, { examinationId: id, userId: actor.userId, version: 1 }, entries);
  const { examination } = await requireExamination(deps, tx, { actor, examinationId: id });
  const signer = { user_id: actor.userId, name: actor.name };
  const reason = `Imported from ${origin.identifier.value}`.slice(0, 500);
  const marked = entries.flatMap(({ regions = [] }) => regions.map(({ attachment_id }) => attachment_id));
  const pictures = await deps.chats.namePictures(tx, { chatId: chat.id, ids: [...new Set(marked)] });
  await insertReport(tx, { examination, version: 1, signer, reason, entries, pictures, signedAt: now });
  return id;
}

function describe(bundle: ReadBundle, planned: readonly Planned[]) {
  const count = (outcome: Planned['outcome']) => planned.filter((one) => one.outcome === outcome).length;
  const used = new Set(planned.flatMap((one) => ('report' in one ? [...usedBy(one.report), ...one.media] : [])));
  const others = [...bundle.values()].filter(
    ({ resource }) => TOLD.includes(resource.resourceType) && !used.has(resource.id),
  );
  return {
    counts: { new: count('new'), known: count('known'), refused: count('refused'), left_out: others.length },
    rows: planned.flatMap(toRows).slice(0, MOST_ROWS),
  };
}

/** What somebody would miss. */
const TOLD = ['Observation', 'Communication', 'Media'];

function usedBy({ origin: { observations, kept } }: ImportedReport): string[] {
  return [...observations.map(([id]) => id), ...kept.map(({ id }) => id)];
}

function toRows(one: Planned): ImportRow[] {
  if (one.outcome === 'refused') {
    const problems = [{ column: null, code: 'REFUSED', message: one.refused }];
    return [{ line: one.line, kind: 'report', title: one.title, value: '', outcome: 'refused', problems }];
  }
  const { report, outcome, hasOther } = one;
  const critical = criticalFindings(report.template.fields, report.entries).map(({ label }) => label);
  const notes = [
    ...(hasOther && outcome === 'new'
      ? [note('OTHER_VERSION', 'Another version of it is here. It stays, and this one comes beside it.')]
      : []),
    ...(critical.length > 0 ? [note('CRITICAL', `Critical: ${critical.join(', ')}. An import calls nobody.`)] : []),
  ];
  const { line, template, origin } = report;
  return [
    {
      line,
      kind: 'report',
      title: template.name,
      value: origin.issued_at,
      outcome,
      problems: [...notes, ...report.problems],
    },
    ...report.findings.map(
      (told): ImportRow => ({
        line: told.line || line,
        kind: 'finding',
        title: told.field.label,
        value: formatFinding(told),
        outcome,
        problems: [],
      }),
    ),
  ];
}

function note(code: string, message: string) {
  return { column: null, code, message };
}

function formatFinding({ field, entry }: Told): string {
  const value = field.options?.find(({ code }) => code === entry.value)?.label ?? entry.value;
  const said = formatQuantity(value, field.unit?.label);
  return entry.interpretation ? `${said}, ${entry.interpretation}` : said;
}
