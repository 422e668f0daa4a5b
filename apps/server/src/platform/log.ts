import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';

export type Log = Logger;

/**
 * The server's log. Lines carry a route's template, ids of requests and codes, never bodies, queries, cookies, names
 * or texts: an error of PostgreSQL keeps its code and its constraint and loses `detail`, which quotes row values.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: serialiseError },
  });
}

function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  if (fromDatabase) return { type: error.name, code, constraint };
  return stdSerializers.err(error);
}
