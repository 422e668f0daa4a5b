import { createHash } from 'node:crypto';
import { Entry, PatientSex, type ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import { Instant } from '@wardline/contract/values.ts';
import * as z from 'zod/mini';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { ExaminationRecord } from './examination-queries.ts';

const SignedPicture = z.object({ id: z.string(), name: z.string(), mime: z.string(), sha256: z.string() });

/** All that a signature stands for. Its text is what is hashed, so it is written once and never again. */
const Content = z.object({
  examination: z.string(),
  version: z.int(),
  template: z.object({ id: z.string(), version: z.int(), name: z.string() }),
  patient: z.nullable(z.object({ name: z.string(), identifier: z.string(), born_on: z.nullable(z.string()) })),
  patient_sex: z.nullable(PatientSex),
  signed_by: z.object({ user_id: z.string(), name: z.string() }),
  signed_at: Instant,
  reason: z.nullable(z.string()),
  entries: z.array(Entry),
  /** Of what the entries point to, so that the signature holds the pictures' bytes too. */
  pictures: z.optional(z.array(SignedPicture)),
});

interface Signing {
  readonly examination: ExaminationRecord;
  readonly version: number;
  readonly signer: { readonly user_id: string; readonly name: string };
  readonly reason: string | null;
  readonly entries: readonly Entry[];
  readonly pictures: readonly z.infer<typeof SignedPicture>[];
  readonly signedAt: Date;
}

/** Stores a version of a report. The database refuses to change it, and a hash that is not of its text. */
export async function insertReport(tx: DatabaseTransaction, signing: Signing): Promise<string> {
  const { examination, version, signer, reason, entries, pictures, signedAt } = signing;
  const { id, template, patient, patient_sex } = examination;
  const content = JSON.stringify({
    examination: id,
    version,
    template: { id: template.id, version: template.version, name: template.name },
    patient: patient && { name: patient.name, identifier: patient.identifier, born_on: patient.born_on },
    patient_sex,
    signed_by: signer,
    signed_at: signedAt.toISOString(),
    reason,
    entries: [...entries],
    ...(pictures.length > 0 && { pictures: [...pictures] }),
  } satisfies z.infer<typeof Content>);
  const sha256 = createHash('sha256').update(content).digest();
  await tx
    .insertInto('examination_reports')
    .values({ examination_id: id, version, signed_by: signer.user_id, signed_at: signedAt, content, sha256 })
    .execute();
  return sha256.toString('hex');
}

/** A version of a report byte for byte as it was signed. */
export async function findSignedText(
  db: Database | DatabaseTransaction,
  { examinationId, version }: { examinationId: string; version: number },
): Promise<string | null> {
  const found = await db
    .selectFrom('examination_reports')
    .select('content')
    .where('examination_id', '=', examinationId)
    .where('version', '=', version)
    .executeTakeFirst();
  return found?.content ?? null;
}

/** Every signed version of every report of a chat, byte for byte, the oldest first. */
export async function listSignedReports(db: Database, chatId: string) {
  const rows = await db
    .selectFrom('examination_reports as r')
    .innerJoin('examinations as e', 'e.id', 'r.examination_id')
    .select(['r.examination_id', 'r.version', 'r.content', 'r.sha256'])
    .where('e.chat_id', '=', chatId)
    .orderBy('r.examination_id')
    .orderBy('r.version')
    .execute();
  return rows.map(({ sha256, ...report }) => ({ ...report, sha256: sha256.toString('hex') }));
}

interface VersionPage {
  readonly examinationId: string;
  readonly before: number | null;
  readonly limit: number;
}

/** The versions of a report, the newest first. */
export async function listReports(
  db: Database | DatabaseTransaction,
  { examinationId, before, limit }: VersionPage,
): Promise<ReportVersion[]> {
  let found = db
    .selectFrom('examination_reports')
    .select(['version', 'content', 'sha256'])
    .where('examination_id', '=', examinationId);
  if (before !== null) found = found.where('version', '<', before);
  const rows = await found.orderBy('version', 'desc').limit(limit).execute();
  return rows.map(({ version, content, sha256 }) => {
    const { signed_by, signed_at, reason, patient_sex, entries, pictures } = Content.parse(JSON.parse(content));
    return {
      ...{ version, signed: { by: signed_by, at: signed_at }, reason, patient_sex, entries },
      ...(pictures && { pictures }),
      sha256: sha256.toString('hex'),
    };
  });
}
