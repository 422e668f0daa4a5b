import type * as contract from '@wardline/contract/census/logs.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { appendLog } from '#/features/census/core/append-log.ts';
import { authorOf } from '#/features/census/core/author.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { Gate } from '#/platform/http/concurrency-gate.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { type LogContext, requireLog } from './require-log.ts';
import {
  findHead,
  findKeptOutside,
  findVerification,
  type StoredVerification,
  storeVerification,
  walkChain,
} from './verification-queries.ts';

type Endpoint = typeof contract.verifyCensusLog;
type Input = Pick<InputOf<Endpoint>, 'params' | 'query'>;

/** The last verification; with `run` the chain is walked now, which the log keeps. One walk at a time, for it reads all. */
export function verifyCensusLog(walks: Gate) {
  return async (ctx: LogContext, { params, query }: Input): Promise<ReplyOf<Endpoint>> => {
    const place = await requireLog(ctx, params.facility, 'log.verify');
    const facilityNo = place.facility_no;
    const last = query.run ? await walks.run(() => verifyNow(ctx, place)) : await findVerification(ctx.db, facilityNo);
    const kept = await findKeptOutside(ctx.db, facilityNo);
    return {
      ...(await (last ? verified(last) : neverVerified(ctx, facilityNo))),
      kept_outside: kept.map(({ hash, at, ...day }) => ({ ...day, hash: hash.toString('hex'), at: at.toISOString() })),
    };
  };
}

async function verifyNow(ctx: LogContext, place: FacilityConfig): Promise<StoredVerification> {
  const { facility_no: facilityNo, facility_id: facilityId } = place;
  return ctx.write('census.log.verify', async (tx: Transaction) => {
    const begun = performance.now();
    const walk = await walkChain(tx, facilityNo);
    const found = { ...walk, verified_at: new Date(), took_ms: Math.round(performance.now() - begun) };
    const { entries, broken_at, changed_day } = found;
    const told = { entries, broken_at, ...(changed_day !== null && { changed_day }) };
    const author = authorOf(ctx, facilityId);
    await appendLog(tx, { facilityNo, author, entries: [{ action: 'log.verify', after: told }] });
    await storeVerification(tx, { facilityNo, ...found });
    return { result: found, audit: { facilityId, objectType: 'census_log', detail: told } };
  });
}

type Found = Omit<ReplyOf<Endpoint>, 'kept_outside'>;

function verified({ verified_at, head_seq, head_hash, ...found }: StoredVerification): Found {
  return { verified_at: verified_at.toISOString(), head: headOf(head_seq, head_hash), ...found };
}

async function neverVerified({ db }: LogContext, facilityNo: number): Promise<Found> {
  const { seq, hash } = await findHead(db, facilityNo);
  return {
    verified_at: null,
    entries: seq,
    took_ms: null,
    head: headOf(seq, hash),
    broken_at: null,
    changed_day: null,
  };
}

function headOf(seq: number, hash: Buffer): Found['head'] {
  return seq === 0 ? null : { seq, hash: hash.toString('hex') };
}
