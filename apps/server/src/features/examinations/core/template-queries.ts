import { ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { isUnit } from './units.ts';

interface TemplateRow {
  readonly id: string;
  readonly version: number;
  readonly definition: object;
}
const templates = typedRows<TemplateRow>({ id: 'string', version: 'number', definition: 'json' });

/** As it is stored, and as the contract states it: a form that is not is no form, nor is one with a unit that UCUM does not know. */
export function toTemplate({ definition, ...row }: TemplateRow): ExaminationTemplate {
  const template = ExaminationTemplate.parse({ ...definition, ...row });
  const wrong = template.fields.find(({ unit }) => unit !== undefined && !isUnit(unit.code));
  if (wrong) throw new TypeError(`form ${row.id}, field ${wrong.code}: “${wrong.unit?.code}” is no unit of UCUM`);
  return template;
}

/**
 * The newest version of each form that examinations are begun with in a facility, in the order of their ids: not those that are retired, nor
 * a shipped one while the facility's own stands in its place. Those made of imported files are begun by nobody.
 */
export async function listTemplateRows(
  db: Database | DatabaseTransaction,
  { facilityId, after = null, only = null, limit }: TemplatePage,
): Promise<ExaminationTemplate[]> {
  const query = sql`
    select distinct on (t.id) t.id, t.version, t.definition from examination_templates as t
    left join examination_forms as own on own.id = t.id
    where not (t.definition ? 'is_imported') and (t.facility_id is null or t.facility_id = ${facilityId})
      and (own.id is null or own.state = 'in_use')
      and not exists (
        select from examination_forms as copy
        where copy.facility_id = ${facilityId} and copy.copied_from = t.id and copy.version > 0 and copy.state <> 'shipped_again')
      and ${after === null ? sql`true` : sql`t.id > ${after}`} and ${only === null ? sql`true` : sql`t.id = ${only}`}
    order by t.id, t.version desc limit ${limit}`;
  return (await templates.read(db, query)).map(toTemplate);
}

/** One version of a form, whatever became of it; null where there is none. */
export async function findTemplate(
  db: Database | DatabaseTransaction,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<ExaminationTemplate | null> {
  const query = sql`select id, version, definition from examination_templates where id = ${id} and version = ${version}`;
  const row = await templates.first(db, query);
  return row ? toTemplate(row) : null;
}

interface TemplatePage {
  readonly facilityId: string;
  readonly after?: string | null;
  readonly only?: string | null;
  readonly limit: number;
}
