import { createHash } from 'node:crypto';
import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import { transferGap } from '@wardline/census/rules.ts';
import type { SignedFigures, SignedUnit } from '@wardline/contract/census/day.ts';
import { canonicalJson } from '#/features/census/core/append-log.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { UnitOfDayRow } from './facility-day-queries.ts';
import { type DayState, toCell, toFigures } from './serialize-facility-day.ts';

/** Who signs when, and which words accept a transfer gap. */
export interface Signature {
  readonly at: Date;
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly overrideReason: string | null;
}

interface Signing extends DayState {
  readonly place: Pick<FacilityConfig, 'facility_id' | 'denominator'>;
  readonly date: string;
}

/** All that a signature answers for, as the day is read. */
export function toSignedFigures(
  { place, date, day, units, transfers }: Signing,
  { at, by, overrideReason }: Signature,
): SignedFigures {
  return {
    facility_id: place.facility_id,
    census_date: date,
    time_zone: day.time_zone,
    denominator: place.denominator,
    transfer_gap: transferGap(transfers),
    override_reason: overrideReason,
    units: units.map(toSignedUnit),
    transfers: transfers.map(toCell),
    signed_at: at.toISOString(),
    signed_by: by,
  };
}

function toSignedUnit(row: UnitOfDayRow): SignedUnit {
  const { estimate, discussion_chat_id, variance_for, variance_by, ...unit } = toFigures(row);
  return unit;
}

/** Figures as they are kept: their text, and its hash. */
export interface KeptFigures {
  readonly text: string;
  readonly hash: Buffer;
}

export function keepFigures(figures: SignedFigures): KeptFigures {
  const text = canonicalJson(toStoredNames(figures));
  return { text, hash: hashOf(text) };
}

/** SHA-256 of a text as UTF-8. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

interface SignedDayRow {
  readonly facilityNo: number;
  readonly date: string;
  /** The entry of the log that tells of the signature. */
  readonly logSeq: number;
  readonly signedAt: Date;
  readonly signedBy: string;
}

/** Stores what was signed beside what was signed before, in the transaction of the signature. */
export async function insertSignedDay(
  tx: DatabaseTransaction,
  { facilityNo, date, logSeq, signedAt, signedBy }: SignedDayRow,
  { text, hash }: KeptFigures,
): Promise<void> {
  await tx
    .insertInto('signed_days')
    .values({
      facility_no: facilityNo,
      log_seq: logSeq,
      census_date: date,
      signed_at: signedAt,
      signed_by: signedBy,
      figures: text,
      hash,
    })
    .execute();
}
