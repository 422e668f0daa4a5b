import { createHash } from 'node:crypto';
import type { ExaminationState } from '@wardline/contract/examinations/examinations.ts';
import type { FormDefinition } from '@wardline/contract/examinations/forms.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { newId } from '#/platform/new-id.ts';

/** The shipped forms that tests record by. */
export const TEMPLATES = {
  renalProfile: '00000000-0000-7000-8000-0000000000e1',
  vitalSigns: '00000000-0000-7000-8000-0000000000e2',
  imaging: '00000000-0000-7000-8000-0000000000e3',
} as const;

export interface ExaminationOptions {
  readonly chatId: string;
  readonly facilityId: string;
  readonly userId: string;
  readonly state?: ExaminationState;
  /** Of each field of the renal profile. */
  readonly values?: Readonly<Record<string, string>>;
  /** What a report says of its impression, where there is one. */
  readonly impression?: string;
}

/** A renal profile in a chat, as it stands in this state; where it is signed, with the first version of its report. */
export async function makeExamination(
  db: Database | DatabaseTransaction,
  { chatId, facilityId, userId, state = 'draft', values = {}, impression = 'As expected' }: ExaminationOptions,
): Promise<string> {
  const id = newId();
  const isSigned = state === 'reported' || state === 'amended';
  await db
    .insertInto('examinations')
    .values({
      ...{ id, chat_id: chatId, facility_id: facilityId, client_id: newId(), created_by: userId, state },
      ...{ template_id: TEMPLATES.renalProfile, template_version: 1, report_version: isSigned ? 1 : 0 },
    })
    .execute();
  const entries = Object.entries({ ...values, impression });
  const entered = entries.map(([field, value]) => ({ field, value, interpretation: null, comparison: null }));
  await db
    .insertInto('examination_entries')
    .values(entered.map((entry) => ({ ...entry, examination_id: id, changed_by: userId, version: 1 })))
    .execute();
  if (!isSigned) return id;
  const content = JSON.stringify({
    ...{ examination: id, version: 1, template: { id: TEMPLATES.renalProfile, version: 1, name: 'Renal profile' } },
    ...{ patient: null, patient_sex: null, signed_by: { user_id: userId, name: 'Somebody' } },
    ...{ signed_at: '2026-01-02T03:04:05.000Z', reason: null, entries: entered },
  });
  const sha256 = createHash('sha256').update(content).digest();
  const report = { examination_id: id, version: 1, signed_by: userId, signed_at: new Date(), content, sha256 };
  await db.insertInto('examination_reports').values(report).execute();
  return id;
}

interface FormOptions {
  readonly facilityId: string;
  readonly userId: string;
  readonly name: string;
  /** The shipped form in whose place it stands. */
  readonly copiedFrom?: string;
  /** Left out, it is a draft that was never published. */
  readonly isPublished?: boolean;
}

/** A form of a facility with one finding that is a number and one that is a choice. */
export async function makeExaminationForm(
  db: Database | DatabaseTransaction,
  { facilityId, userId, name, copiedFrom, isPublished = false }: FormOptions,
): Promise<string> {
  const id = newId();
  const definition = JSON.stringify(formDefinition(name));
  if (isPublished) {
    const version = { id, version: 1, facility_id: facilityId, definition, published_by: userId };
    await db.insertInto('examination_templates').values(version).execute();
  }
  await db
    .insertInto('examination_forms')
    .values({
      ...{ id, facility_id: facilityId, changed_by: userId, draft: definition, version: isPublished ? 1 : 0 },
      ...(copiedFrom && { copied_from: copiedFrom, copied_version: 1 }),
    })
    .execute();
  return id;
}

/** A form of a facility in two versions, which both have every field that was entered in {@link makeExamination}. */
export async function makeNewerForm(
  db: Database | DatabaseTransaction,
  { facilityId, userId }: Pick<FormOptions, 'facilityId' | 'userId'>,
): Promise<string> {
  const id = await makeExaminationForm(db, { facilityId, userId, name: `Form ${newId()}`, isPublished: true });
  const { definition } = await db
    .selectFrom('examination_templates')
    .select('definition')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const newer = {
    id,
    version: 2,
    facility_id: facilityId,
    definition: JSON.stringify(definition),
    published_by: userId,
  };
  await db.insertInto('examination_templates').values(newer).execute();
  await db.updateTable('examination_forms').set({ version: 2 }).where('id', '=', id).execute();
  return id;
}

/** As somebody would write it. */
export function formDefinition(name: string): FormDefinition {
  return {
    ...{ type: 'laboratory', name },
    fields: [
      {
        ...{ code: 'lactate', label: 'Lactate', kind: 'quantity', part: 'finding', loinc: '2524-7' },
        ...{ unit: { code: 'mmol/L', label: 'mmol/L' }, ranges: [{ high: '2.0', critical_high: '4.0' }] },
      },
      {
        ...{ code: 'sample', label: 'Sample', kind: 'code', part: 'finding' },
        options: [
          { code: 'arterial', label: 'Arterial' },
          { code: 'venous', label: 'Venous' },
        ],
      },
      { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
    ],
  };
}
