import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { createJobWrite, noteRefusal } from '#/platform/http/writes/write.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import { appendLog, type LogAuthor, type NewLogEntry } from './append-log.ts';
import { authorOf } from './author.ts';
import { holdFacility } from './clock-job.ts';

interface Refused {
  readonly facilityNo: number;
  readonly facilityId: string;
  readonly entry: NewLogEntry;
}

const NOTED_FINDINGS = new Set(['LOCKED', 'VERSION_CONFLICT', 'SELF_APPROVAL']);

/**
 * Does something to the census and, where it is refused for want of a right, for a lock or for being out of date, writes that
 * into the log. What is merely filled in wrongly is not written down.
 */
export async function withRefusalLogging<Result>(
  ctx: RequestContext,
  refused: Refused,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError && isNoted(error)) await noteInLog(ctx, refused, error);
    throw error;
  }
}

function isNoted({ code, findings = [] }: AppError): boolean {
  return code === 'forbidden' || findings.some((finding) => NOTED_FINDINGS.has(finding.code));
}

/**
 * The first of its kind in a quarter of an hour is written into the log; the audit counts the others. It waits for nobody:
 * where the facility is held, a job writes it. A failure to note it must not change the answer.
 */
async function noteInLog(ctx: RequestContext, { facilityNo, facilityId, entry }: Refused, error: AppError) {
  const why = error.findings?.[0]?.code ?? error.code;
  const { action, unit, date, population } = entry;
  const object = unit && { objectType: 'unit', objectId: unit.unitId };
  const detail = { action, refused: why, ...(date && { date }), ...(population && { population }) };
  try {
    if (!(await noteRefusal(ctx, 'census.refused', { facilityId, ...object, detail }))) return;
    const refusal: LoggedRefusal = {
      facilityNo,
      author: authorOf(ctx, facilityId),
      entry: { ...entry, outcome: 'refused', after: { refused: why } },
    };
    await ctx.write('census.refused', async (tx) => {
      if (await holdFacility(tx, facilityNo)) await append(tx, refusal);
      else await enqueueJob(tx, { kind: REFUSAL_JOB, payload: refusal });
      return { result: undefined, audit: null };
    });
  } catch (failure) {
    ctx.log.error({ err: failure }, 'a refusal could not be written into the census log');
  }
}

export const REFUSAL_JOB = 'census-refusal';

/** What the job is given: the entry as it was made, maybe by a build with other names. */
interface LoggedRefusal {
  readonly facilityNo: number;
  readonly author: LogAuthor;
  readonly entry: NewLogEntry;
}

const append = (tx: Transaction, { facilityNo, author, entry }: LoggedRefusal) =>
  appendLog(tx, { facilityNo, author, entries: [entry] });

/** Writes a refusal into the log that was held when it happened. */
export const appendRefusal: JobHandler = async (payload, job) => {
  const write = createJobWrite(job);
  await write('census.refused', async (tx) => {
    await append(tx, toPresentNames(payload as LoggedRefusal));
    return { result: undefined, audit: null };
  });
};
