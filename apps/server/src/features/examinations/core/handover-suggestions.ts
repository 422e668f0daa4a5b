import type { Entry, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import type { HandoverSuggestion } from '@wardline/contract/examinations/handovers.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { citationOf } from '@wardline/examination/citation.ts';
import { isForNews2, type News2Risk, news2, observationsOf } from '@wardline/examination/news2.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { listReports } from './report-queries.ts';
import { toTemplate } from './template-queries.ts';

interface SuggestionRow {
  readonly id: string;
  readonly state: string;
  readonly report_version: number;
  readonly template_id: string;
  readonly template_version: number;
  readonly definition: object;
  readonly requested_name: string | null;
  readonly born_on: string | null;
  readonly time_zone: string;
  readonly created_at: Date;
  readonly said_at: Date;
}
const suggestionRows = typedRows<SuggestionRow>({
  ...{ id: 'string', state: 'string', report_version: 'number', template_id: 'string', template_version: 'number' },
  ...{ definition: 'json', requested_name: 'string?', born_on: 'string?', time_zone: 'string' },
  ...{ created_at: 'date', said_at: 'date' },
});

const examinations = sql`
  select e.id, e.state, e.report_version, e.template_id, e.template_version, t.definition, requester.name as requested_name,
    c.patient_born_on as born_on, f.time_zone, e.created_at, coalesce(r.signed_at, e.requested_at, e.created_at) as said_at
  from examinations e
  join examination_templates t on t.id = e.template_id and t.version = e.template_version
  join chats c on c.id = e.chat_id
  join facilities f on f.id = e.facility_id
  left join users requester on requester.id = e.requested_by
  left join examination_reports r on r.examination_id = e.id and r.version = e.report_version`;

const MOST_OPEN = 20;

export interface ExaminationSuggestions {
  readonly suggestions: readonly HandoverSuggestion[];
  /** Where those stand that were asked for by their ids, as far as they are here and no error. */
  readonly named: readonly HandoverSuggestion['source'][];
}

/**
 * What the examinations of a chat say to whoever takes over: of each form the newest report, where something in it is abnormal, with its
 * NEWS2; and what was asked for and is not there yet.
 */
export async function listExaminationSuggestions(
  db: Database | DatabaseTransaction,
  { chatId, ids }: { readonly chatId: string; readonly ids: readonly string[] },
): Promise<ExaminationSuggestions> {
  const signed = await suggestionRows.read(
    db,
    sql`${examinations} where e.id in (
        select distinct on (template_id) id from examinations
        where chat_id = ${chatId} and state in ('reported', 'amended')
        order by template_id, created_at desc, id desc
      ) order by said_at desc`,
  );
  const open = await suggestionRows.read(
    db,
    sql`${examinations} where e.chat_id = ${chatId} and e.state in ('requested', 'in_progress') order by e.created_at desc, e.id desc limit ${MOST_OPEN}`,
  );
  const named =
    ids.length === 0
      ? []
      : await suggestionRows.read(
          db,
          sql`${examinations} where e.chat_id = ${chatId} and e.id = any(${ids}::uuid[]) and e.state <> 'entered_in_error'`,
        );
  const results: HandoverSuggestion[] = [];
  for (const row of signed) {
    const [report] = await listReports(db, { examinationId: row.id, before: null, limit: 1 });
    if (report) results.push(...suggestionsOfReport(row, report.entries));
  }
  return {
    suggestions: [...results, ...open.map(openSuggestion)],
    named: named.map((row) => sourceOf(row, templateOf(row))),
  };
}

function suggestionsOfReport(row: SuggestionRow, entries: readonly Entry[]): HandoverSuggestion[] {
  const template = templateOf(row);
  const source = sourceOf(row, template);
  const score = scoreOf(row, { template, entries });
  const abnormal = abnormalOf(row, { template, entries });
  return [
    ...(score === null ? [] : [{ kind: 'news2' as const, text: score, source }]),
    ...(abnormal.length === 0
      ? []
      : [{ kind: 'result' as const, text: `${template.name}: ${abnormal.join(', ')}`, source }]),
  ];
}

interface Reported {
  readonly template: ExaminationTemplate;
  readonly entries: readonly Entry[];
}

const RISKS: Readonly<Record<News2Risk, string>> = {
  ...{ low: 'low risk', single_3: 'a 3 in one part', medium: 'medium risk', high: 'high risk' },
};

function scoreOf({ born_on, time_zone, created_at }: SuggestionRow, { template, entries }: Reported): string | null {
  const seen = observationsOf(template.fields, entries);
  const day = dateIn(time_zone, created_at.getTime());
  if (seen === null || !isForNews2({ bornOn: born_on, day })) return null;
  const { total, risk } = news2(seen);
  return total === null || risk === null ? null : `NEWS2 ${total}, ${RISKS[risk]}`;
}

/** As said of a value; what is normal, or says nothing, is not told. */
const MEANINGS: Readonly<Partial<Record<Interpretation, string>>> = {
  ...{ L: 'low', H: 'high', LL: 'critically low', HH: 'critically high' },
  ...{ A: 'abnormal', AA: 'critically abnormal', POS: 'positive' },
};

function abnormalOf({ id, report_version: version }: SuggestionRow, { template, entries }: Reported): string[] {
  return template.fields.flatMap(({ code }) => {
    const found = citationOf(id, { template, version, entries }, code);
    const meaning = found?.interpretation && MEANINGS[found.interpretation];
    if (!found || !meaning) return [];
    return [`${found.label} ${formatQuantity(found.value, found.unit)} (${meaning})`];
  });
}

function openSuggestion(row: SuggestionRow): HandoverSuggestion {
  const template = templateOf(row);
  const asked = row.requested_name === null ? 'requested' : `requested by ${row.requested_name}`;
  const text = `Open: ${template.name}, ${row.state === 'in_progress' ? 'in progress' : asked}`;
  return { kind: 'open_examination', text, source: sourceOf(row, template) };
}

function sourceOf({ id, said_at }: SuggestionRow, { name }: ExaminationTemplate): HandoverSuggestion['source'] {
  return { kind: 'examination', id, seq: null, label: name, at: said_at.toISOString() };
}

function templateOf({ template_id, template_version, definition }: SuggestionRow): ExaminationTemplate {
  return toTemplate({ id: template_id, version: template_version, definition });
}
