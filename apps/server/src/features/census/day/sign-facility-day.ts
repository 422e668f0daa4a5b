import { isReason, totalFinding, transferGap } from '@wardline/census/rules.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import type * as contract from '@wardline/contract/census/day.ts';
import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import { appendAfter, type NewLogEntry } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import { brokenRule, brokenRules } from '#/features/census/core/broken-rules.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import { signDay } from '#/features/census/core/policy.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { blockersOf } from './blockers.ts';
import { type CheckedDay, changeDay, type DayChange, type HeldDay } from './change-day.ts';
import type { DayKey } from './facility-day-queries.ts';
import { lockDay } from './lock-day.ts';
import { mailLogHead } from './mail-log-head.ts';
import { insertSignedDay, type KeptFigures, keepFigures, toSignedFigures } from './signed-figures.ts';

type Endpoint = typeof contract.signFacilityDay;
type Body = BodyOf<Endpoint>;

/**
 * Signs a day whose units are all in and approved; a transfer gap needs the words that accept it. What is signed is kept as it
 * is, with its hash in the log.
 */
export async function signFacilityDay(
  ctx: RequestContext,
  { params, body }: { params: ParamsOf<Endpoint>; body: Body },
): Promise<ReplyOf<Endpoint>> {
  const check = (day: CheckedDay) => void mustBeSignable(day, body);
  const act = { action: 'facility_day.sign', wanted: signDay, params, body, check } as const;
  return changeDay(ctx, act, (held) => sign(ctx, held, body));
}

async function sign(ctx: RequestContext, held: HeldDay, body: Body): Promise<DayChange> {
  const gap = mustBeSignable(held, body);
  const { tx, place, head: before, date, now } = held;
  const day = { facilityNo: place.facility_no, date };
  const author = authorOf(ctx, place.facility_id);
  const signedBy = ctx.actor.userId;
  const overrideReason = gap > 0 ? (body.override_reason ?? null) : null;
  await storeSignature(tx, day, { userId: signedBy, at: now, overrideReason });
  const signer = { id: signedBy, name: ctx.actor.name };
  const kept = keepFigures(toSignedFigures(held, { at: now, by: signer, overrideReason }));
  const entries = [...overrideEntry(held, gap, overrideReason), signEntry(held, gap, kept)];
  await appendAfter(tx, before, { facilityNo: place.facility_no, author, entries });
  await insertSignedDay(tx, { ...day, logSeq: before.seq + entries.length, signedAt: now, signedBy }, kept);
  if (body.lock) await lockDay(tx, day, { author, at: now });
  const head = await storeLogHead(tx, day);
  const isAgain = held.day.status === 'reopened';
  await mailLogHead(tx, place, { ...head, date, signedBy, signedAt: now, isAgain });
  return { detail: { lock: body.lock, transfer_gap: gap }, hasLockedReports: body.lock };
}

/** What keeps the day from being signed is refused, each with its code. Returns by how much the transfers differ. */
function mustBeSignable(held: CheckedDay, body: Body): number {
  const { day, units, transfers, place, date, now } = held;
  if (day.status !== 'open' && day.status !== 'reopened') {
    throw brokenRule({ code: 'WRONG_STATUS', field: null, message: `${formatDay(date, place)} is signed already.` });
  }
  const gap = transferGap(transfers);
  const isAccepted = isReason(body.override_reason);
  const findings = blockersOf(held, now)
    .filter(({ code }) => code !== 'TRANSFER_UNRECONCILED' || !isAccepted)
    .map(({ code, message }) => ({
      code,
      field: code === 'TRANSFER_UNRECONCILED' ? 'override_reason' : null,
      message,
    }));
  const all = [...findings, ...reasonFindings(body, gap), ...totalFindings(units, body)];
  if (all.length > 0) throw brokenRules(all);
  return gap;
}

function reasonFindings({ override_reason }: Body, gap: number): Finding[] {
  if (gap === 0 || !override_reason || isReason(override_reason)) return [];
  const message = 'Enter in at least 5 characters why the transfers differ.';
  return [{ code: 'REASON_REQUIRED', field: 'override_reason', message }];
}

/** The signer's own total is compared where all units are in: before that it cannot agree. */
function totalFindings(units: HeldDay['units'], { total }: Body): Finding[] {
  if (total === null || total === undefined) return [];
  const closings = units.flatMap(({ unit_code, closing }) => (closing === null ? [] : [{ unit_code, closing }]));
  if (closings.length < units.length) return [];
  const wrong = totalFinding(total, closings);
  return wrong ? [wrong] : [];
}

function overrideEntry({ date }: HeldDay, gap: number, reason: string | null): NewLogEntry[] {
  return gap === 0 ? [] : [{ action: 'transfer.override', date, after: { transfer_gap: gap }, reason }];
}

/** The hash is part of what the log's own chain holds: figures that are changed later do not fit it. */
function signEntry({ date, day, units }: HeldDay, gap: number, { hash }: KeptFigures): NewLogEntry {
  const total = (of: (unit: HeldDay['units'][number]) => number | null) =>
    units.reduce((sum, unit) => sum + (of(unit) ?? 0), 0);
  return {
    action: 'facility_day.sign',
    date,
    before: { status: day.status },
    after: {
      status: 'approved',
      units_submitted: units.length,
      units_expected: units.length,
      census: total((unit) => unit.closing),
      service_days: total((unit) => unit.service_days),
      transfer_gap: gap,
      figures_hash: hash.toString('hex'),
    },
    afterApproval: day.status === 'reopened',
  };
}

interface Signature {
  readonly userId: string;
  readonly at: Date;
  readonly overrideReason: string | null;
}

async function storeSignature(tx: DatabaseTransaction, day: DayKey, signature: Signature): Promise<void> {
  await sql`
    update facility_days set status = 'approved', signed_by = ${signature.userId}, signed_at = ${signature.at},
      override_reason = ${signature.overrideReason}, locked_at = null, version = version + 1
    where facility_no = ${day.facilityNo} and census_date = ${day.date}`.execute(tx);
}

/** Keeps with the day where the log stood when it was signed. */
async function storeLogHead(
  tx: DatabaseTransaction,
  { facilityNo, date }: DayKey,
): Promise<{ seq: number; hash: string }> {
  const stored = await sql<{ seq: number; hash: string }>`
    update facility_days d set log_seq = h.seq, log_hash = h.hash from census_log_heads h
    where h.facility_no = d.facility_no and d.facility_no = ${facilityNo} and d.census_date = ${date}
    returning h.seq, encode(h.hash, 'hex') as hash`.execute(tx);
  const [head] = stored.rows;
  if (!head) throw new Error('the day that was signed is not there');
  return head;
}
