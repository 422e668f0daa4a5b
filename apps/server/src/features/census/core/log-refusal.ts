import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { appendLog, type NewLogEntry } from './append-log.ts';
import { authorOf } from './author.ts';

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
    if (error instanceof AppError && isNoted(error)) await noteRefusal(ctx, refused, error);
    throw error;
  }
}

function isNoted({ code, findings = [] }: AppError): boolean {
  return code === 'forbidden' || findings.some((finding) => NOTED_FINDINGS.has(finding.code));
}

/** A failure to note it must not change the answer. */
async function noteRefusal(ctx: RequestContext, { facilityNo, facilityId, entry }: Refused, error: AppError) {
  const why = error.findings?.[0]?.code ?? error.code;
  try {
    await ctx.write('census.refused', async (tx) => {
      await appendLog(tx, {
        facilityNo,
        author: authorOf(ctx, facilityId),
        entries: [{ ...entry, outcome: 'refused', after: { refused: why } }],
      });
      return { result: undefined, audit: { facilityId, detail: { action: entry.action, refused: why } } };
    });
  } catch (failure) {
    ctx.log.error({ err: failure }, 'a refusal could not be written into the census log');
  }
}
