import type { FacilityForm } from '@wardline/contract/examinations/forms.ts';
import { manageForms, seeTemplates } from '#/features/examinations/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import { findForm } from './form-queries.ts';

/** A facility that is not one's own does not exist. */
export function requireFormManager(actor: Actor, facilityId: string): void {
  authorizeToKnow(actor, seeTemplates, { facilityId });
  authorize(actor, manageForms, { facilityId });
}

interface Place {
  readonly facilityId: string;
  readonly formId: string;
  readonly expectedRevision: number;
}

/** A form of the facility's own, held to the end of the transaction for who still manages it, as it was when they looked. */
export async function holdForm(
  tx: DatabaseTransaction,
  actor: Actor,
  { facilityId, formId, expectedRevision }: Place,
): Promise<FacilityForm> {
  await tx
    .selectFrom('examination_forms')
    .select('id')
    .where('id', '=', formId)
    .where('facility_id', '=', facilityId)
    .forUpdate()
    .execute();
  await authorizeNow(tx, actor, manageForms, { facilityId });
  const form = await findForm(tx, { facilityId, formId });
  if (form === null) throw new AppError('not_found');
  if (form.is_shipped) {
    throw new AppError('conflict', { message: 'This form comes with Wardline. Copy it, and change the copy.' });
  }
  if (form.revision !== expectedRevision) {
    const { changed } = form;
    throw new AppError('conflict', changed ? { message: `${changed.by.name} changed this form in the meantime.` } : {});
  }
  return form;
}
