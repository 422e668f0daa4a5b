import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { FacilityForm, FormDefinition, FormState, FormSummary } from '@wardline/contract/examinations/forms.ts';
import { type RawBuilder, sql } from 'kysely';
import { toTemplate } from '#/features/examinations/core/template-queries.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

type Queryable = Database | DatabaseTransaction;

/** A form of a facility with its published version, or a shipped one with the facility's copy of it. */
interface FormRow {
  readonly id: string;
  readonly state: FormState;
  readonly version: number;
  readonly revision: number;
  readonly draft: object | null;
  readonly definition: object | null;
  readonly copied_from: string | null;
  readonly copied_version: number | null;
  /** Of the shipped form that it was copied from. */
  readonly newest: number | null;
  readonly copy_id: string | null;
  readonly copy_in_place: boolean | null;
  readonly changed_by: string | null;
  readonly changed_name: string | null;
  readonly changed_at: Date | null;
}
const forms = typedRows<FormRow>({
  ...{ id: 'string', state: 'string', version: 'number', revision: 'number', draft: 'json?', definition: 'json?' },
  ...{ copied_from: 'string?', copied_version: 'number?', newest: 'number?', copy_id: 'string?' },
  ...{ copy_in_place: 'boolean?', changed_by: 'string?', changed_name: 'string?', changed_at: 'date?' },
});

interface Asked {
  readonly facilityId: string;
  readonly only?: string;
  readonly after?: string | null;
  readonly limit: number;
}

/** The facility's own forms and the shipped ones, in the order of their ids. */
export async function listFormRows(db: Queryable, { facilityId, only, after, limit }: Asked): Promise<FormRow[]> {
  const page = (id: RawBuilder<unknown>) =>
    only !== undefined ? sql`${id} = ${only}` : after ? sql`${id} > ${after}` : sql`true`;
  const query = sql`
    (select f.id, f.state, f.version, f.revision, f.draft, t.definition, f.copied_from, f.copied_version,
      (select max(s.version) from examination_templates as s where s.id = f.copied_from and s.facility_id is null) as newest,
      null::uuid as copy_id, null::boolean as copy_in_place, f.changed_by, u.name as changed_name, f.changed_at
    from examination_forms as f
    join users as u on u.id = f.changed_by
    left join examination_templates as t on t.id = f.id and t.version = f.version
    where f.facility_id = ${facilityId} and ${page(sql`f.id`)}
    order by f.id limit ${limit})
    union all
    (select distinct on (t.id) t.id, 'in_use' as state, t.version, 0 as revision, null::jsonb as draft, t.definition,
      null::uuid as copied_from, null::integer as copied_version, null::integer as newest, f.id as copy_id,
      f.version > 0 and f.state <> 'shipped_again' as copy_in_place,
      null::uuid as changed_by, null::text as changed_name, null::timestamptz as changed_at
    from examination_templates as t
    left join examination_forms as f on f.facility_id = ${facilityId} and f.copied_from = t.id
    where not (t.definition ? 'is_imported') and t.facility_id is null and ${page(sql`t.id`)}
    order by t.id, t.version desc limit ${limit})
    order by id limit ${limit}`;
  return forms.read(db, query);
}

export function toSummary(row: FormRow): FormSummary {
  const { id, state, version, revision, copied_from, copied_version, newest, copy_id, changed_by } = row;
  const shown = (row.definition ?? row.draft) as FormDefinition;
  return {
    ...{ id, type: shown.type, name: shown.name, is_shipped: revision === 0, state, version, revision },
    ...{ has_draft: row.draft !== null, field_count: shown.fields.length },
    copied_from:
      copied_from !== null && copied_version !== null && newest !== null
        ? { id: copied_from, version: copied_version, newest }
        : null,
    own_copy: copy_id === null ? null : { id: copy_id, is_in_its_place: row.copy_in_place === true },
    changed:
      changed_by !== null && row.changed_name !== null && row.changed_at !== null
        ? { by: { user_id: changed_by, name: row.changed_name }, at: row.changed_at.toISOString() }
        : null,
  };
}

/** A form of a facility, or a shipped one, as who manages it sees it; null where it has none of this id. */
export async function findForm(
  db: Queryable,
  { facilityId, formId }: { readonly facilityId: string; readonly formId: string },
): Promise<FacilityForm | null> {
  const [row] = await listFormRows(db, { facilityId, only: formId, limit: 1 });
  if (!row) return null;
  const { id, version, definition, copied_from, newest } = row;
  const [shipped] =
    copied_from === null || newest === null
      ? []
      : await listVersionRows(db, { formId: copied_from, before: newest + 1, limit: 1 });
  return {
    ...toSummary(row),
    published: definition === null ? null : toTemplate({ id, version, definition }),
    draft: row.draft as FormDefinition | null,
    shipped: shipped ? toTemplate(shipped) : null,
    used_codes: await usedCodes(db, formId),
  };
}

interface VersionRow {
  readonly id: string;
  readonly version: number;
  readonly definition: object;
  readonly published_by: string | null;
  readonly published_name: string | null;
  readonly created_at: Date;
}
const versionRows = typedRows<VersionRow>({
  ...{ id: 'string', version: 'number', definition: 'json', published_by: 'string?', published_name: 'string?' },
  created_at: 'date',
});

/** The published versions of a form that was found to be seen, below one of them, the newest first. */
export function listVersionRows(
  db: Queryable,
  { formId, before, limit }: { readonly formId: string; readonly before: number | null; readonly limit: number },
): Promise<VersionRow[]> {
  return versionRows.read(
    db,
    sql`
      select t.id, t.version, t.definition, t.published_by, u.name as published_name, t.created_at
      from examination_templates as t left join users as u on u.id = t.published_by
      where t.id = ${formId} and ${before === null ? sql`true` : sql`t.version < ${before}`}
      order by t.version desc limit ${limit}`,
  );
}

const codes = typedRows<{ code: string; kind: TemplateField['kind'] }>({ code: 'string', kind: 'string' });

async function usedCodes(db: Queryable, formId: string): Promise<FacilityForm['used_codes']> {
  const rows = await codes.read(
    db,
    sql`
      select distinct f.field ->> 'code' as code, f.field ->> 'kind' as kind
      from examination_templates as t cross join lateral jsonb_array_elements(t.definition -> 'fields') as f (field)
      where t.id = ${formId}`,
  );
  return Object.fromEntries(rows.map(({ code, kind }) => [code, kind]));
}
