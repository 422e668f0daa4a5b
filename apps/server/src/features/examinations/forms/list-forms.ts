import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/forms.ts';
import { toTemplate } from '#/features/examinations/core/template-queries.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor, wrongCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { findForm, listFormRows, listVersionRows, toSummary } from './form-queries.ts';
import { requireFormManager } from './require-form.ts';

type ListForms = typeof contract.listExaminationForms;
type GetForm = typeof contract.getExaminationForm;
type ListVersions = typeof contract.listFormVersions;

const PAGE = 50;
/** Each may be large. */
const VERSIONS_PAGE = 20;

/** The forms of a facility, those that came with Wardline among them. */
export async function listExaminationForms(
  { actor, db }: RequestContext,
  { params, query }: InputOf<ListForms>,
): Promise<ReplyOf<ListForms>> {
  requireFormManager(actor, params.facility);
  const limit = query.limit ?? PAGE;
  const after = query.cursor === undefined ? null : idCursor(query.cursor);
  const rows = await listFormRows(db, { facilityId: params.facility, after, limit: limit + 1 });
  const data = rows.slice(0, limit).map(toSummary);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

export async function getExaminationForm(
  { actor, db }: RequestContext,
  { params }: InputOf<GetForm>,
): Promise<ReplyOf<GetForm>> {
  requireFormManager(actor, params.facility);
  const form = await findForm(db, { facilityId: params.facility, formId: params.form });
  if (form === null) throw new AppError('not_found');
  return form;
}

/** What was published of a form, by whom and when. */
export async function listFormVersions(
  { actor, db }: RequestContext,
  { params, query }: InputOf<ListVersions>,
): Promise<ReplyOf<ListVersions>> {
  requireFormManager(actor, params.facility);
  const [row] = await listFormRows(db, { facilityId: params.facility, only: params.form, limit: 1 });
  if (!row) throw new AppError('not_found');
  const limit = Math.min(query.limit ?? VERSIONS_PAGE, VERSIONS_PAGE);
  const before = query.cursor === undefined ? null : versionCursor(query.cursor);
  const rows = await listVersionRows(db, { formId: params.form, before, limit: limit + 1 });
  const data = rows.slice(0, limit).map(({ published_by, published_name, created_at, ...version }) => ({
    template: toTemplate(version),
    published:
      published_by === null || published_name === null
        ? null
        : { by: { user_id: published_by, name: published_name }, at: created_at.toISOString() },
  }));
  const last = data.at(-1)?.template.version;
  return { data, next_cursor: rows.length > limit && last !== undefined ? String(last) : null };
}

function versionCursor(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw wrongCursor();
  return Number(cursor);
}
