import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { listTrend as endpoint, TrendValue } from '@wardline/contract/examinations/trends.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { type ExaminationRecord, placeOf } from './core/examination-queries.ts';
import { requireExaminationToRead } from './core/require-examination.ts';
import { powerOfTenBetween } from './core/units.ts';

type Endpoint = typeof endpoint;

const PAGE = 100;

/** How a number developed over the reports of a chat: who reads one of them reads all. What was entered is not converted here. */
export function listTrend(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params, query }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { examination } = await requireExaminationToRead(deps, ctx, params.examination);
    const field = examination.template.fields.find(({ code }) => code === query.field);
    if (field?.kind !== 'quantity') throw invalidField('field', 'This form has no such number.');
    const limit = query.limit ?? PAGE;
    const before = query.cursor === undefined ? null : idCursor(query.cursor);
    const found = await findTrend(ctx.db, { examination, field, before, limit: limit + 1 });
    const data = found.slice(0, limit);
    return { data, next_cursor: found.length > limit ? (data.at(-1)?.examination_id ?? null) : null };
  };
}

interface TrendRow {
  readonly id: string;
  readonly title: string;
  readonly at: Date;
  readonly value: string;
  readonly unit: TrendValue['unit'];
  readonly interpretation: Interpretation | null;
  readonly report_version: number;
}
const trendRows = typedRows<TrendRow>({
  ...{ id: 'string', title: 'string', at: 'date', value: 'string', unit: 'json?' },
  ...{ interpretation: 'string?', report_version: 'number' },
});

interface TrendPage {
  readonly examination: ExaminationRecord;
  readonly field: TemplateField;
  readonly before: string | null;
  readonly limit: number;
}

/** What stands in a signed form is what its last report says. Of each form one field is meant, the one of this name before others of the code. */
async function findTrend(db: Database, { examination, field, before, limit }: TrendPage): Promise<TrendValue[]> {
  const { chat_id, template } = examination;
  const query = sql`
    with meant as (
      select distinct on (t.id, t.version) t.id, t.version, t.definition ->> 'name' as title, f.field ->> 'code' as code,
        f.field -> 'unit' as unit
      from examination_templates as t cross join lateral jsonb_array_elements(t.definition -> 'fields') as f (field)
      where (t.id, t.version) in (select e.template_id, e.template_version from examinations as e where e.chat_id = ${chat_id})
        and f.field ->> 'kind' = 'quantity'
        and (f.field ->> 'loinc' = ${field.loinc ?? null}::text or (t.id = ${template.id} and f.field ->> 'code' = ${field.code}))
      order by t.id, t.version, f.field ->> 'code' = ${field.code} desc, f.field ->> 'code'
    )
    select e.id, meant.title, coalesce(x.observed_at, e.created_at) as at, x.value, meant.unit, x.interpretation, e.report_version
    from examinations as e
    join meant on meant.id = e.template_id and meant.version = e.template_version
    join examination_entries as x on x.examination_id = e.id and x.field = meant.code and x.value <> ''
    where e.chat_id = ${chat_id} and e.state in ('reported', 'amended') and ${before === null ? sql`true` : sql`(e.created_at, e.id) < ${placeOf(before)}`}
    order by e.created_at desc, e.id desc limit ${limit}`;
  return (await trendRows.read(db, query)).map(({ id, at, ...said }) => ({
    ...{ examination_id: id, at: at.toISOString() },
    ...said,
    power_of_ten: powerOfTenBetween(said.unit?.code ?? '', field.unit?.code ?? ''),
  }));
}
