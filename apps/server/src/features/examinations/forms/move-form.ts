import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  moveExaminationForm as endpoint,
  FacilityForm,
  FormAct,
  FormDefinition,
} from '@wardline/contract/examinations/forms.ts';
import { formActs, STATE_AFTER } from '@wardline/examination/forms/form-acts.ts';
import { formDifferences } from '@wardline/examination/forms/form-difference.ts';
import { formProblems } from '@wardline/examination/forms/form-problems.ts';
import { refuse } from '#/features/examinations/core/check-entries.ts';
import { listTemplateRows } from '#/features/examinations/core/template-queries.ts';
import { UNIT_CHECKS } from '#/features/examinations/core/units.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { formChange } from './form-audit.ts';
import { holdForm, requireFormManager } from './require-form.ts';
import { nextRevision, requireFound } from './save-form.ts';

type Endpoint = typeof endpoint;

const ACTIONS = {
  publish: 'examination.form.publish',
  retire: 'examination.form.retire',
  use_again: 'examination.form.use_again',
  return_to_shipped: 'examination.form.return_to_shipped',
} as const satisfies Readonly<Record<FormAct, AuditAction>>;

/** Publishes the draft of a form as a version that never changes, or says whether examinations are begun with the form. */
export async function moveExaminationForm(
  { actor, write }: RequestContext,
  { params, body: { act, expected_revision } }: InputOf<Endpoint>,
): Promise<ReplyOf<Endpoint>> {
  const place = { facilityId: params.facility, formId: params.form };
  requireFormManager(actor, place.facilityId);
  return write(ACTIONS[act], async (tx) => {
    const form = await holdForm(tx, actor, { ...place, expectedRevision: expected_revision });
    if (!formActs(form).includes(act)) throw new AppError('conflict');
    await guardName(tx, { form, act, facilityId: place.facilityId });
    const published = act === 'publish' ? await publish(tx, { form, ...place, userId: actor.userId }) : null;
    await tx
      .updateTable('examination_forms')
      .set({
        ...{ state: STATE_AFTER[act], ...nextRevision(actor.userId) },
        ...(published && { version: published.version, draft: null }),
      })
      .where('id', '=', place.formId)
      .execute();
    return {
      result: await requireFound(tx, place),
      audit: formChange(place, { name: form.name, version: form.version, ...published }),
    };
  });
}

interface Publishing {
  readonly form: FacilityForm;
  readonly facilityId: string;
  readonly formId: string;
  readonly userId: string;
}

async function publish(
  tx: DatabaseTransaction,
  { form, facilityId, formId, userId }: Publishing,
): Promise<{ version: number; changes: string[] }> {
  const definition = form.draft as FormDefinition;
  const problems = formProblems(definition, { units: UNIT_CHECKS, usedCodes: form.used_codes });
  refuse(Object.fromEntries(problems.filter(({ isWarning }) => !isWarning).map(({ path, text }) => [path, [text]])));
  const changes = formDifferences(form.published ?? form.shipped, definition);
  const before = form.published ? `version ${form.version}` : 'the form from Wardline';
  if (changes.length === 0) refuse({ draft: [`Nothing is different from ${before}.`] });
  const version = form.version + 1;
  await tx
    .insertInto('examination_templates')
    .values({
      ...{ id: formId, version, facility_id: facilityId, published_by: userId },
      definition: JSON.stringify(definition),
    })
    .execute();
  return { version, changes };
}

/** Two forms of a name beside each other could not be told apart by who begins an examination. */
async function guardName(
  tx: DatabaseTransaction,
  { form, act, facilityId }: { readonly form: FacilityForm; readonly act: FormAct; readonly facilityId: string },
): Promise<void> {
  if (act === 'retire') return;
  const comesIntoUse = { publish: form.draft, use_again: form.published, return_to_shipped: form.shipped }[act];
  const name = comesIntoUse?.name.toLowerCase();
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
  const offered = await listTemplateRows(tx, { facilityId, limit: MOST_OFFERED });
  const isTaken = offered.some(
    (other) => other.name.toLowerCase() === name && other.id !== form.id && other.id !== form.copied_from?.id,
  );
  if (isTaken) refuse({ name: ['Another form that is in use has this name.'] });
}

/** More than a facility can have, the shipped ones included. */
const MOST_OFFERED = 200;
