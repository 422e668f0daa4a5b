import type { Patient } from '@wardline/contract/chat/chat.ts';
import type {
  Entry,
  Examination,
  ExaminationState,
  ExaminationSummary,
  ExaminationTemplate,
  ExaminationType,
  PatientSex,
  StoredEntry,
} from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { criticalFindings } from '@wardline/examination/critical-findings.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Examinations } from '#/platform/db/types.ts';
import type { Origin } from './origin.ts';
import { toTemplate } from './template-queries.ts';

type Queryable = Database | DatabaseTransaction;
type Critical = ExaminationSummary['critical'];

interface SummaryRow
  extends Pick<
    Selectable<Examinations>,
    'id' | 'chat_id' | 'facility_id' | 'version' | 'report_version' | 'updated_at'
  > {
  readonly state: ExaminationState;
  readonly critical: Critical;
  readonly type: ExaminationType;
  readonly title: string;
  readonly must_acknowledge: boolean;
}

interface ExaminationRow extends SummaryRow, Pick<Selectable<Examinations>, 'template_id' | 'template_version'> {
  readonly definition: object;
  readonly patient_name: string | null;
  readonly patient_identifier: string | null;
  readonly patient_born_on: string | null;
  readonly patient_bed: string | null;
  readonly patient_sex: PatientSex | null;
  readonly time_zone: string;
  readonly created_by: string;
  readonly created_name: string;
  readonly created_at: Date;
  readonly requested_by: string | null;
  readonly requested_name: string | null;
  readonly requested_at: Date | null;
  readonly reason: string | null;
  readonly reason_by: string | null;
  readonly reason_name: string | null;
  readonly reason_at: Date | null;
  readonly read_version: number;
  readonly acknowledged_version: number;
  readonly import_origin: object | null;
  readonly imported_by: string | null;
  readonly imported_name: string | null;
  readonly imported_at: Date | null;
}

/** An examination as the rules see it, with what its panel shows. */
export interface ExaminationRecord extends Omit<Examination, 'my' | 'entries'> {
  readonly readVersion: number;
  readonly acknowledgedVersion: number;
  /** Whose values they are, for the ranges. */
  readonly subject: Subject;
  /** What the file said from which it was taken over; null of one that was made here. */
  readonly origin: Origin | null;
}

/** Who read or acknowledged an earlier version, and has neither signed nor acknowledged this one. */
const mustAcknowledge = (userId: string): RawBuilder<unknown> => sql`
  (e.state in ('reported', 'amended')
    and exists (
      select from examination_receipts as r
      where r.examination_id = e.id and r.user_id = ${userId} and r.version < e.report_version)
    and not exists (
      select from examination_receipts as r
      where r.examination_id = e.id and r.user_id = ${userId} and r.version = e.report_version and r.kind = 'acknowledged')
    and (
      select v.signed_by from examination_reports as v
      where v.examination_id = e.id and v.version = e.report_version) is distinct from ${userId}) as must_acknowledge`;

const summaryColumns = sql`
  e.id, e.chat_id, e.facility_id, e.state, e.version, e.report_version, e.critical, e.updated_at, t.definition ->> 'type' as type,
  t.definition ->> 'name' as title`;
const withTemplate = sql`
  join examination_templates as t on t.id = e.template_id and t.version = e.template_version`;

const summaries = typedRows<SummaryRow>({
  ...{ id: 'string', chat_id: 'string', facility_id: 'string', state: 'string', version: 'number' },
  ...{ report_version: 'number', critical: 'array', updated_at: 'date', type: 'string', title: 'string' },
  must_acknowledge: 'boolean',
});

const examinations = typedRows<ExaminationRow>({
  ...summaries.kinds,
  ...{ template_id: 'string', template_version: 'number', definition: 'json' },
  ...{ patient_name: 'string?', patient_identifier: 'string?', patient_born_on: 'string?', patient_bed: 'string?' },
  ...{ patient_sex: 'string?', time_zone: 'string', created_by: 'string', created_name: 'string', created_at: 'date' },
  ...{ requested_by: 'string?', requested_name: 'string?', requested_at: 'date?' },
  ...{ reason: 'string?', reason_by: 'string?', reason_name: 'string?', reason_at: 'date?' },
  ...{ read_version: 'number', acknowledged_version: 'number' },
  ...{ import_origin: 'json?', imported_by: 'string?', imported_name: 'string?' },
  imported_at: 'date?',
});

function toTemplateOf(row: ExaminationRow): ExaminationTemplate {
  return toTemplate({ id: row.template_id, version: row.template_version, definition: row.definition });
}

function toSummary(row: SummaryRow): ExaminationSummary {
  return {
    ...{ id: row.id, chat_id: row.chat_id, facility_id: row.facility_id, type: row.type, title: row.title },
    ...{ state: row.state, version: row.version, report_version: row.report_version, critical: [...row.critical] },
    must_acknowledge: row.must_acknowledge,
    updated_at: row.updated_at.toISOString(),
  };
}

function toRecord(row: ExaminationRow): ExaminationRecord {
  const template = toTemplateOf(row);
  const { patient_name: name, patient_identifier: identifier, patient_born_on: born_on, patient_bed: bed } = row;
  const reason = toAct(row.reason_by, row.reason_name, row.reason_at);
  return {
    ...toSummary(row),
    template,
    patient: name !== null && identifier !== null ? { name, identifier, born_on, bed } : null,
    patient_sex: row.patient_sex,
    created: { by: { user_id: row.created_by, name: row.created_name }, at: row.created_at.toISOString() },
    requested: toAct(row.requested_by, row.requested_name, row.requested_at),
    reason: reason && row.reason !== null ? { ...reason, text: row.reason } : null,
    readVersion: row.read_version,
    acknowledgedVersion: row.acknowledged_version,
    subject: { sex: row.patient_sex, bornOn: born_on, day: dateIn(row.time_zone, row.created_at.getTime()) },
    ...toImported(row),
  };
}

function toImported(row: ExaminationRow): Pick<ExaminationRecord, 'imported' | 'origin'> {
  const act = toAct(row.imported_by, row.imported_name, row.imported_at);
  if (act === null) return { imported: null, origin: null };
  const origin = row.import_origin as Origin;
  return {
    imported: {
      ...act,
      ...{ identifier: origin.identifier.value, source: origin.source, reported_at: origin.issued_at },
      reported_by: origin.performers.map(({ name }) => name),
      ...(origin.laboratory && { laboratory: origin.laboratory }),
    },
    origin,
  };
}

function toAct(userId: string | null, name: string | null, at: Date | null) {
  return userId !== null && name !== null && at !== null
    ? { by: { user_id: userId, name }, at: at.toISOString() }
    : null;
}

/** Whoever asks must still be found to read its chat. */
export async function findExamination(
  db: Queryable,
  { examinationId, userId }: { examinationId: string; userId: string },
): Promise<ExaminationRecord | null> {
  const query = sql`
    select ${summaryColumns}, ${mustAcknowledge(userId)}, e.template_id, e.template_version, t.definition, e.patient_sex, e.created_by, e.created_at, e.requested_by, e.requested_at,
      e.reason, e.reason_by, e.reason_at, c.patient_name, c.patient_identifier, c.patient_born_on, c.patient_bed, f.time_zone,
      creator.name as created_name, requester.name as requested_name, reasoner.name as reason_name,
      coalesce((select max(r.version) from examination_receipts as r
        where r.examination_id = e.id and r.user_id = ${userId}), 0) as read_version,
      coalesce((select max(r.version) from examination_receipts as r
        where r.examination_id = e.id and r.user_id = ${userId} and r.kind = 'acknowledged'), 0) as acknowledged_version,
      coalesce((select l.origin from laboratory_results as l where l.examination_id = e.id and l.state = 'filed'
        order by l.reported_at desc, l.id desc limit 1), i.origin) as import_origin, i.imported_by, i.imported_at, importer.name as imported_name
    from examinations as e ${withTemplate}
    join chats as c on c.id = e.chat_id
    join facilities as f on f.id = e.facility_id
    join users as creator on creator.id = e.created_by
    left join users as requester on requester.id = e.requested_by
    left join users as reasoner on reasoner.id = e.reason_by
    left join examination_imports as i on i.examination_id = e.id
    left join users as importer on importer.id = i.imported_by
    where e.id = ${examinationId}`;
  const row = await examinations.first(db, query);
  return row ? toRecord(row) : null;
}

/** Where one stands among those of its chat: by when the server had it, since devices make the ids. */
export function placeOf(examinationId: string): RawBuilder<unknown> {
  return sql`(select p.created_at, p.id from examinations as p where p.id = ${examinationId})`;
}

/** The examinations of a chat that its reader was found to read, the newest first. */
export async function listSummaries(
  db: Queryable,
  { chatId, userId, before, limit }: { chatId: string; userId: string; before: string | null; limit: number },
): Promise<ExaminationSummary[]> {
  const query = sql`
    select ${summaryColumns}, ${mustAcknowledge(userId)} from examinations as e ${withTemplate}
    where e.chat_id = ${chatId} and ${before === null ? sql`true` : sql`(e.created_at, e.id) < ${placeOf(before)}`}
    order by e.created_at desc, e.id desc limit ${limit}`;
  return (await summaries.read(db, query)).map(toSummary);
}

/** The examinations of a chat past one of them, the oldest first. */
export async function listExaminationIds(
  db: Queryable,
  { chatId, after, limit }: { chatId: string; after: string | null; limit: number },
): Promise<string[]> {
  let found = db.selectFrom('examinations as e').select('e.id').where('e.chat_id', '=', chatId);
  if (after !== null) found = found.where(sql<boolean>`(e.created_at, e.id) > ${placeOf(after)}`);
  return (await found.orderBy('e.created_at').orderBy('e.id').limit(limit).execute()).map(({ id }) => id);
}

/** Whom a chat is about; null where it is no case. */
export async function findPatient(db: Queryable, chatId: string): Promise<Patient | null> {
  const found = await db
    .selectFrom('chats')
    .select([
      'patient_name',
      'patient_identifier',
      sql<string | null>`patient_born_on::text`.as('born_on'),
      'patient_bed',
    ])
    .where('id', '=', chatId)
    .executeTakeFirst();
  if (!found?.patient_name || !found.patient_identifier) return null;
  const { patient_name: name, patient_identifier: identifier, born_on, patient_bed: bed } = found;
  return { name, identifier, born_on, bed };
}

/** Every value that stands in the form, also the empty ones that somebody made so. */
export async function listEntries(db: Queryable, examinationId: string): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('examination_entries as x')
    .innerJoin('users as u', 'u.id', 'x.changed_by')
    .select([
      'x.field',
      'x.value',
      'x.interpretation',
      'x.comparison',
      'x.regions',
      'x.observed_at',
      'x.changed_by',
      'x.changed_at',
      'x.version',
      'u.name',
    ])
    .where('x.examination_id', '=', examinationId)
    .orderBy('x.field')
    .$narrowType<Pick<Entry, 'interpretation' | 'comparison'> & { regions: Region[] }>()
    .execute();
  return rows.map(({ changed_by, changed_at, name, regions, observed_at, ...entry }) => ({
    ...entry,
    ...(observed_at && { observed_at: observed_at.toISOString() }),
    ...(regions.length > 0 && { regions }),
    by: { user_id: changed_by, name },
    at: changed_at.toISOString(),
  }));
}

/** Changes of one examination stand in a line from here to the end of the transaction. */
export async function lockExamination(tx: DatabaseTransaction, examinationId: string): Promise<void> {
  await tx.selectFrom('examinations').select('id').where('id', '=', examinationId).forNoKeyUpdate().execute();
}

interface Change {
  readonly examinationId: string;
  readonly userId: string;
  /** The version that the change makes. */
  readonly version: number;
}

/** Stores values as the change's; what stands there is replaced. */
export async function storeEntries(
  tx: DatabaseTransaction,
  { examinationId, userId, version }: Change,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx
    .insertInto('examination_entries')
    .values(
      entries.map(({ regions = [], observed_at = null, ...entry }) => ({
        ...{ ...entry, regions: JSON.stringify(regions), observed_at },
        ...{ examination_id: examinationId, changed_by: userId, version },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['examination_id', 'field']).doUpdateSet((row) => ({
        value: row.ref('excluded.value'),
        interpretation: row.ref('excluded.interpretation'),
        comparison: row.ref('excluded.comparison'),
        regions: row.ref('excluded.regions'),
        observed_at: row.ref('excluded.observed_at'),
        changed_by: row.ref('excluded.changed_by'),
        changed_at: sql<Date>`now()`,
        version: row.ref('excluded.version'),
      })),
    )
    .execute();
}

/** What of a report is critical, as lists and lines of the chat say it. */
export function listCritical(fields: ExaminationTemplate['fields'], entries: readonly Entry[]): Critical {
  return criticalFindings(fields, entries).map(({ label, value, unit, interpretation }) => ({
    ...{ label, value: formatQuantity(value, unit?.label), interpretation },
  }));
}
