import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/examinations.ts';
import { isSigned } from '@wardline/examination/transition.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { lockExamination } from './core/examination-queries.ts';
import { listReports } from './core/report-queries.ts';
import { requireExamination, requireExaminationToRead } from './core/require-examination.ts';

type Acknowledge = typeof contract.acknowledgeReport;
type ListVersions = typeof contract.listReportVersions;

const PAGE = 20;

/** Whoever reads the report says so; nobody is told of it but by the audit. */
export function acknowledgeReport(deps: ExaminationDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Acknowledge>,
  ): Promise<ReplyOf<Acknowledge>> => {
    const question = { actor, examinationId: params.examination };
    await requireExamination(deps, db, question);
    return write(body.is_acknowledged ? 'examination.acknowledge' : 'examination.read', async (tx) => {
      // An amendment that comes meanwhile waits, or is known here.
      await lockExamination(tx, params.examination);
      const { chat, examination } = await requireExamination(deps, tx, question);
      const { id, report_version: version, readVersion, acknowledgedVersion } = examination;
      if (body.version !== version || !isSigned(examination.state)) throw new AppError('conflict');
      const kinds: readonly string[] = body.is_acknowledged ? ['read', 'acknowledged'] : ['read'];
      const rows = kinds.map((kind) => ({ examination_id: id, user_id: actor.userId, version, kind }));
      const stored = await tx
        .insertInto('examination_receipts')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning('kind')
        .execute();
      const result = {
        read_version: Math.max(readVersion, version),
        acknowledged_version: body.is_acknowledged ? version : acknowledgedVersion,
      };
      if (stored.length === 0) return { result, audit: null };
      const about = { objectType: 'examination', objectId: id, detail: { chat: chat.id, report: version } };
      return { result, audit: { facilityId: chat.facilityId, ...about } };
    });
  };
}

export function listReportVersions(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params, query }: InputOf<ListVersions>): Promise<ReplyOf<ListVersions>> => {
    const { examination } = await requireExaminationToRead(deps, ctx, params.examination);
    const before = query.cursor === undefined ? null : versionOf(query.cursor);
    const limit = query.limit ?? PAGE;
    const found = await listReports(ctx.db, { examinationId: examination.id, before, limit: limit + 1 });
    const data = found.slice(0, limit);
    const last = found.length > limit ? data.at(-1) : undefined;
    return { data, next_cursor: last ? `v${last.version}` : null };
  };
}

/** The cursor is the last version's number. */
function versionOf(cursor: string): number {
  const [, version] = /^v(\d{1,9})$/.exec(cursor) ?? [];
  if (version === undefined) throw wrongCursor();
  return Number(version);
}
