import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { isHandedIn } from '@wardline/census/states.ts';
import type * as contract from '@wardline/contract/census/day.ts';
import type { SignedDay, SignedFigures } from '@wardline/contract/census/day.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import { seeSummary } from '#/features/census/core/policy.ts';
import { requireFacilityFor } from '#/features/census/core/require-facility.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { rebuildSigned, restatedSince } from './restated-since.ts';
import { type DayState, readDay } from './serialize-facility-day.ts';
import {
  findReportHistories,
  findSignatures,
  findToldSignature,
  type ReportHistory,
  type StoredSignature,
} from './signed-day-queries.ts';
import { hashOf, toSignedFigures } from './signed-figures.ts';

type Endpoint = typeof contract.getSignedDay;

/** What a day said when it was signed, and what was restated since: what a sheet of it prints. */
export async function getSignedDay(
  ctx: RequestContext,
  { params }: Pick<InputOf<Endpoint>, 'params'>,
): Promise<ReplyOf<Endpoint>> {
  const { facility: facilityId, date } = params;
  const place = await requireFacilityFor(ctx, { facilityId, date }, seeSummary);
  // Read at one moment, so that a restatement is either in all of it or in nothing of it.
  const moment = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return moment.execute((tx) => readSignedDay(tx, place, date));
}

async function readSignedDay(tx: DatabaseTransaction, place: FacilityConfig, date: string): Promise<SignedDay> {
  const key = { facilityNo: place.facility_no, date };
  const state = await readDay(tx, place, date);
  const signatures = await findSignatures(tx, key);
  const told = await findToldSignature(tx, key);
  const isSigned = state.day.status === 'approved' || state.day.status === 'locked';
  const [newest] = signatures;
  const current = isSigned && newest && newest.log_seq <= (told.log_seq ?? 0) ? newest : undefined;
  const earlier = signatures
    .filter((signature) => signature !== current)
    .map(({ signed_at, signed_by, hash }) => ({
      signed_at: signed_at.toISOString(),
      signed_by,
      hash: hash.toString('hex'),
    }));
  if (!isSigned) return { signed: null, earlier };
  const histories = await findReportHistories(tx, key, told.log_seq);
  const today = figuresOfToday(place, state, date);
  if (current) return { signed: readStored(current, { histories, today }), earlier };
  const rebuilt = rebuildSigned(today, { histories, told });
  return { signed: { ...rebuilt, hash: null }, earlier };
}

/** The day by its newest figures, under its signature. */
function figuresOfToday(place: FacilityConfig, state: DayState, date: string): SignedFigures {
  const { day, units } = state;
  return toSignedFigures(
    { ...state, place, date, units: units.filter(({ status }) => isHandedIn(status)) },
    { at: day.signed_at ?? day.census_at, by: day.signed_by, overrideReason: day.override_reason },
  );
}

interface Read {
  readonly histories: readonly ReportHistory[];
  readonly today: SignedFigures;
}

/** As it was kept, unless that is not what the log tells of. */
function readStored(stored: StoredSignature, { histories, today }: Read): NonNullable<SignedDay['signed']> {
  const hash = stored.told_hash ?? stored.hash.toString('hex');
  const isWhole = stored.is_told && hashOf(stored.figures).toString('hex') === hash;
  if (!isWhole) return { source: 'changed', hash, figures: today, restatements: [] };
  const figures = toPresentNames(JSON.parse(stored.figures) as SignedFigures);
  return { source: 'stored', hash, figures, restatements: restatedSince(figures, histories) };
}
