import { createHash } from 'node:crypto';
import type { ExaminationState } from '@wardline/contract/examinations/examinations.ts';
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
