import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { checkUnit as endpoint } from '@wardline/contract/examinations/forms.ts';
import { UNIT_CHECKS } from '#/features/examinations/core/units.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { requireFormManager } from './require-form.ts';

/** The UCUM library is on the server alone: a device asks it for units that are not among the common ones. */
export async function checkUnit(
  { actor }: RequestContext,
  { params, query: { code, loinc } }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  requireFormManager(actor, params.facility);
  return { is_unit: UNIT_CHECKS.isUnit(code), fits_loinc: loinc === undefined ? null : UNIT_CHECKS.fits(code, loinc) };
}
