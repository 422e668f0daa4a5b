import type { ErrorCode } from '@wardline/contract/errors.ts';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { databaseErrorKind } from '#/platform/db/sql-state.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Log } from '#/platform/log.ts';

/** Maps everything that is thrown to an answer of the closed list, in one place. What is unknown says nothing. */
export function answerErrors(app: FastifyInstance, log: Log): void {
  const noteRefusal = createRefusalLog(log);
  app.setErrorHandler((thrown, request, reply) => {
    const error = wasAborted(request) ? new AppError('bad_request') : toAppError(thrown);
    if (thrown instanceof AppError && thrown.code === 'unavailable') noteRefusal(thrown, request);
    else if (error.status >= 500) {
      log.error({ err: thrown, request: request.id, route: request.routeOptions.url }, 'a request failed');
    }
    if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
    if (error.quota) reply.headers({ 'x-ratelimit-limit': error.quota.limit, 'x-ratelimit-remaining': 0 });
    return reply.code(error.status).send(error.body());
  });
}

const REFUSALS_EVERY_MS = 1_000;

/** Requests that are told to come again are many in the same moment: one line a second says how many, and names the last. */
function createRefusalLog(log: Log): (thrown: AppError, request: FastifyRequest) => void {
  let count = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (thrown, { id, routeOptions }) => {
    count++;
    const now = performance.now();
    if (now - saidAt < REFUSALS_EVERY_MS) return;
    log.error({ err: thrown, refused: count, request: id, route: routeOptions.url }, 'requests are told to come again');
    saidAt = now;
    count = 0;
  };
}

/** Who sent it went away in the middle: nobody's fault here, and nobody hears the answer. */
function wasAborted({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const error = databaseErrorKind(thrown);
  if (error === 'storage_full') return new AppError('storage_full', { retryAfterS: 30 });
  if (error === 'unstorable_text') return new AppError('unprocessable');
  if (error === 'unavailable') return new AppError('unavailable', { retryAfterS: 1 });
  return new AppError(codeOfStatus((thrown as Partial<FastifyError>)?.statusCode));
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'bad_request',
  415: 'unsupported_media_type',
};

/** Fastify's own refusals (a body that is no JSON, too large, of another type) carry a status and nothing else of use. */
function codeOfStatus(status: number | undefined): ErrorCode {
  return (
    (status !== undefined && BY_STATUS[status]) ||
    (status !== undefined && status < 500 ? 'bad_request' : 'server_error')
  );
}
