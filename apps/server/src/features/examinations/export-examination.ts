import type * as contract from '@wardline/contract/examinations/examinations.ts';
import type { Database } from '#/platform/db/database.ts';
import { FHIR_JSON, writeFhir } from '#/platform/fhir/fhir-json.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { type ExaminationRecord, listEntries } from './core/examination-queries.ts';
import { findSignedText, listReports } from './core/report-queries.ts';
import { type OpenedExamination, requireExaminationToRead } from './core/require-examination.ts';
import { examinationBundle, type Recorded } from './fhir/examination-bundle.ts';

/** So many versions of a report are told of, the newest. */
const MOST_VERSIONS = 100;

/** An examination as a FHIR R4 Bundle, for who reads it. That it is taken is stored before the first byte. */
export function exportExamination(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params }: InputOf<typeof contract.exportExamination>): Promise<Download> => {
    const examinationId = params.examination;
    const { chat, examination } = await requireExaminationToRead(deps, ctx, examinationId);
    await noteExport(ctx, 'examination.export', { chat, examination });
    const bundle = examinationBundle(await loadRecorded(deps, ctx.db, examination), new Date());
    return { fileName: `examination-${examinationId}.json`, contentType: FHIR_JSON, body: writeFhir(bundle) };
  };
}

/** Each press of the button is written down: what is on paper is out of the house. */
export function noteExaminationPrint(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params }: InputOf<typeof contract.noteExaminationPrint>): Promise<undefined> => {
    const opened = await requireExaminationToRead(deps, ctx, params.examination);
    await noteExport(ctx, 'examination.print', opened);
  };
}

function noteExport(
  { write }: RequestContext,
  action: 'examination.export' | 'examination.print',
  { chat, examination }: OpenedExamination,
): Promise<undefined> {
  const detail = { chat: chat.id, version: examination.version };
  const about = { objectType: 'examination', objectId: examination.id, detail };
  return write(action, async () => ({ result: undefined, audit: { facilityId: chat.facilityId, ...about } }));
}

/** All that a file says of an examination whose reader was found to read it. */
export async function loadRecorded(
  { critical }: Pick<ExaminationDeps, 'critical'>,
  db: Database,
  examination: ExaminationRecord,
): Promise<Recorded> {
  const examinationId = examination.id;
  const entries = await listEntries(db, examinationId);
  const reports = await listReports(db, { examinationId, before: null, limit: MOST_VERSIONS });
  const signedText = reports[0] ? await findSignedText(db, { examinationId, version: reports[0].version }) : null;
  const alerts = reports.length > 0 ? await critical.stories(db, examinationId) : [];
  return { examination, entries, reports, signedText, alerts };
}
