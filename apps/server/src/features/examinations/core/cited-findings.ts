import type { CitedFinding } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import { citationNow, citationOf } from '@wardline/examination/citation.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { ExaminationDeps } from './deps.ts';
import { listReports } from './report-queries.ts';
import { toTemplate } from './template-queries.ts';

interface SignedRow {
  readonly id: string;
  readonly state: string;
  readonly report_version: number;
  readonly template_id: string;
  readonly template_version: number;
  readonly definition: object;
}
const signedRows = typedRows<SignedRow>({
  ...{ id: 'string', state: 'string', report_version: 'number' },
  ...{ template_id: 'string', template_version: 'number', definition: 'json' },
});

/** A signed examination with the reports that were looked at, each once. */
interface Signed {
  readonly lastVersion: number;
  readonly isInError: boolean;
  report(version: number): Promise<Report | null>;
}

interface Report {
  readonly template: ExaminationTemplate;
  readonly version: number;
  readonly entries: Awaited<ReturnType<typeof listReports>>[number]['entries'];
}

/** The findings as their reports say them; who may read the chat, and sends into it, is asked before. */
export async function citeFindings(
  tx: DatabaseTransaction,
  { chatId, cites }: { readonly chatId: string; readonly cites: readonly CitedFinding[] },
): Promise<Citation[]> {
  const ids = [...new Set(cites.map(({ examination_id }) => examination_id))];
  const signed = await findSigned(tx, { chatId, ids });
  const citations: Citation[] = [];
  for (const { examination_id: id, field, report_version: version } of cites) {
    const examination = signed.get(id);
    const [cited, last] = [await examination?.report(version), await examination?.report(examination.lastVersion)];
    const citation = cited && citationOf(id, cited, field);
    if (!examination || !cited || !last || !citation) {
      throw invalidField('cites', 'A finding you cite is not in a signed report of this chat.');
    }
    if (examination.isInError) {
      throw invalidField('cites', `${citation.title} was entered in error. Its findings can’t be cited any more.`);
    }
    citations.push(withNow(citation, citationNow(field, { cited, last, isInError: false })));
  }
  return citations;
}

/** After a report was amended or marked as an error, under the chat's lock: the messages that cite it say so. */
export async function reciteFindings(
  tx: DatabaseTransaction,
  { chats }: ExaminationDeps,
  { id, chat_id: chatId }: { readonly id: string; readonly chat_id: string },
): Promise<Publication[]> {
  const cited = await tx
    .selectFrom('message_citations')
    .select('report_version')
    .distinct()
    .where('examination_id', '=', id)
    .execute();
  const examination = cited.length > 0 ? (await findSigned(tx, { chatId, ids: [id] })).get(id) : undefined;
  const last = await examination?.report(examination.lastVersion);
  if (!examination || !last) return [];
  const reports = new Map<number, Report | null>();
  for (const { report_version } of cited) reports.set(report_version, await examination.report(report_version));
  return chats.recite(tx, id, (citation) => {
    const report = reports.get(citation.report_version);
    if (!report) return citation;
    return withNow(citation, citationNow(citation.field, { cited: report, last, isInError: examination.isInError }));
  });
}

function withNow({ now: _before, ...citation }: Citation, now: Citation['now']): Citation {
  return now ? { ...citation, now } : citation;
}

async function findSigned(
  tx: DatabaseTransaction,
  { chatId, ids }: { chatId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, Signed>> {
  const query = sql`
    select e.id, e.state, e.report_version, e.template_id, e.template_version, t.definition from examinations as e
    join examination_templates as t on t.id = e.template_id and t.version = e.template_version
    where e.id = any(${[...ids]}::uuid[]) and e.chat_id = ${chatId} and e.report_version > 0`;
  const rows = await signedRows.read(tx, query);
  return new Map(rows.map((row) => [row.id, toSigned(tx, row)]));
}

function toSigned(tx: DatabaseTransaction, row: SignedRow): Signed {
  const template = toTemplate({ id: row.template_id, version: row.template_version, definition: row.definition });
  const held = new Map<number, Report | null>();
  return {
    lastVersion: row.report_version,
    isInError: row.state === 'entered_in_error',
    async report(version) {
      const known = held.get(version);
      if (known !== undefined) return known;
      const [found] = await listReports(tx, { examinationId: row.id, before: version + 1, limit: 1 });
      const report = found?.version === version ? { template, version, entries: found.entries } : null;
      held.set(version, report);
      return report;
    },
  };
}
