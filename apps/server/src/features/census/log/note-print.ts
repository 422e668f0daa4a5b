import { isCalendarDate } from '@wardline/census/calendar.ts';
import type * as contract from '@wardline/contract/census/logs.ts';
import type { BodyOf, ParamsOf } from '@wardline/contract/endpoint.ts';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityOn } from '#/features/census/core/require-facility.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { refuse } from './note-once.ts';

type Endpoint = typeof contract.notePrint;

/** What each is called in the log. */
const SHEETS: Readonly<Record<contract.PrintedSheet, string>> = {
  units: 'unit sheets',
  day: 'daily census',
  month: 'monthly compilation',
  doh: 'statistical report',
};

/** Each press of the button is written down: what is on paper is out of the house. */
export async function notePrint(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
): Promise<undefined> {
  const { facility: facilityId } = params;
  const { sheet, from, to } = body;
  const place = await requireFacilityOn(ctx, { facilityId, date: from });
  if (!can(ctx.actor, seeSummary, { facilityId })) return refuse(ctx, place, 'print');
  if (!isCalendarDate(to) || to < from) throw invalidField('to', 'The range ends before it begins.');
  return ctx.write('census.print', async (tx) => {
    const entry = {
      action: 'print',
      ...(from === to && { date: from }),
      after: { kind: SHEETS[sheet], from, to },
    } as const;
    await appendLog(tx, { facilityNo: place.facility_no, author: authorOf(ctx, facilityId), entries: [entry] });
    return { result: undefined, audit: { facilityId, objectType: 'census_sheet', detail: { sheet, from, to } } };
  });
}
