import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/examinations/forms.ts';
import { FORMS_MAX } from '@wardline/contract/examinations/forms.ts';
import { formDifferences } from '@wardline/examination/forms/form-difference.ts';
import { sql } from 'kysely';
import { manageForms } from '#/features/examinations/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';
import { formChange } from './form-audit.ts';
import { findForm, listVersionRows } from './form-queries.ts';
import { holdForm, requireFormManager } from './require-form.ts';

/** Begins a form as a draft: from nothing, as a copy, or from a file. Nobody is offered it before it is published. */
export async function createExaminationForm(
  { actor, write }: RequestContext,
  { params, body }: InputOf<typeof contract.createExaminationForm>,
): Promise<ReplyOf<typeof contract.createExaminationForm>> {
  const facilityId = params.facility;
  requireFormManager(actor, facilityId);
  return write('examination.form.create', async (tx) => {
    await guardCount(tx, facilityId);
    await authorizeNow(tx, actor, manageForms, { facilityId });
    const id = newId();
    const copied = body.copied_from ? await copiedVersion(tx, { facilityId, shippedId: body.copied_from }) : null;
    await tx
      .insertInto('examination_forms')
      .values({
        ...{ id, facility_id: facilityId, draft: JSON.stringify(body.definition), changed_by: actor.userId },
        ...{ copied_from: copied?.id ?? null, copied_version: copied?.version ?? null },
      })
      .execute();
    const { name, type } = body.definition;
    return {
      result: await requireFound(tx, { facilityId, formId: id }),
      audit: formChange({ facilityId, formId: id }, { name, type, ...(copied && { copied_from: copied }) }),
    };
  });
}

export async function saveFormDraft(
  { actor, write }: RequestContext,
  { params, body }: InputOf<typeof contract.saveFormDraft>,
): Promise<ReplyOf<typeof contract.saveFormDraft>> {
  const place = { facilityId: params.facility, formId: params.form };
  requireFormManager(actor, place.facilityId);
  return write('examination.form.draft', async (tx) => {
    const form = await holdForm(tx, actor, { ...place, expectedRevision: body.expected_revision });
    const before = form.draft ?? form.published;
    if (before && before.type !== body.definition.type) {
      throw invalidField('type', 'The type of a form stays. Begin a new form for another type.');
    }
    await tx
      .updateTable('examination_forms')
      .set({ draft: JSON.stringify(body.definition), ...nextRevision(actor.userId) })
      .where('id', '=', place.formId)
      .execute();
    const changes = formDifferences(before, body.definition);
    return { result: await requireFound(tx, place), audit: formChange(place, { changes }) };
  });
}

/** What was published stays; a form that never was goes with its draft. */
export async function discardFormDraft(
  { actor, write }: RequestContext,
  { params, query }: InputOf<typeof contract.discardFormDraft>,
): Promise<undefined> {
  const place = { facilityId: params.facility, formId: params.form };
  requireFormManager(actor, place.facilityId);
  await write('examination.form.discard', async (tx) => {
    const form = await holdForm(tx, actor, { ...place, expectedRevision: query.expected_revision });
    if (form.draft === null) throw new AppError('conflict');
    const isGone = form.version === 0;
    if (isGone) await tx.deleteFrom('examination_forms').where('id', '=', place.formId).execute();
    else {
      const left = { draft: null, ...nextRevision(actor.userId) };
      await tx.updateTable('examination_forms').set(left).where('id', '=', place.formId).execute();
    }
    return { result: undefined, audit: formChange(place, { name: form.name, ...(isGone && { removed: true }) }) };
  });
}

/** What every change of a form says of itself. */
export function nextRevision(userId: string) {
  return { revision: sql<number>`revision + 1`, changed_by: userId, changed_at: sql<Date>`now()` };
}

export async function requireFound(
  tx: DatabaseTransaction,
  place: { readonly facilityId: string; readonly formId: string },
) {
  const form = await findForm(tx, place);
  if (form === null) throw new AppError('not_found');
  return form;
}

/** No other transaction adds one until this one ends. */
async function guardCount(tx: DatabaseTransaction, facilityId: string): Promise<void> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('examination_forms')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= FORMS_MAX) throw invalidField('definition', `A facility has at most ${FORMS_MAX} forms.`);
}

/** The newest version of a shipped form, which this facility has no copy of yet. */
async function copiedVersion(
  tx: DatabaseTransaction,
  { facilityId, shippedId }: { readonly facilityId: string; readonly shippedId: string },
) {
  const shipped = await findForm(tx, { facilityId, formId: shippedId });
  if (!shipped?.is_shipped) throw invalidField('copied_from', 'This form is not there.');
  if (shipped.own_copy !== null) {
    throw new AppError('conflict', { message: `This facility has its own “${shipped.name}” already.` });
  }
  const [newest] = await listVersionRows(tx, { formId: shippedId, before: null, limit: 1 });
  if (!newest) throw invalidField('copied_from', 'This form is not there.');
  return { id: shippedId, version: newest.version };
}
