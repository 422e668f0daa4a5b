import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { assertNoHolder } from './second-connection.ts';
import { type StatedActor, statedActor } from './stated-actor.ts';

/** Statements built from lists of varying length have many texts; past this many they are sent unnamed. */
const NAMES = 1_000;

/** Outside of a transaction, so that no rollback takes it back. */
const STATE = `select set_config('wardline.actor', $1, false), set_config('wardline.system', $2, false),
  set_config('wardline.closed', $3, false), set_config('wardline.reach', $4, false)`;

interface NamedStatementsOptions {
  /** Whether each connection says whom it works for before it asks anything; needs a pool whose connections pipeline. */
  readonly statesActor: boolean;
}

/**
 * A pool whose statements are prepared once per connection under a name of their own, so that PostgreSQL parses and
 * plans each text once and not for every request.
 */
export function withNamedStatements(pool: pg.Pool, { statesActor }: NamedStatementsOptions): PostgresPool {
  const names = new Map<string, string>();
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const states = new WeakMap<pg.PoolClient, StatedActor>();
  const unsure = new WeakSet<pg.PoolClient>();

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= NAMES) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };

  const send = (client: pg.PoolClient, text: unknown, values?: readonly unknown[]): Promise<unknown> => {
    const name = typeof text === 'string' && values !== undefined && values.length > 0 ? nameOf(text) : undefined;
    if (name === undefined) return client.query(text as string, values as unknown[]);
    return client.query({ name, text: text as string, values: values as unknown[] });
  };

  /** In the same round trip as the statement after it; null where the connection was told the same last. */
  const state = (client: pg.PoolClient): Promise<unknown> | null => {
    const actor = statedActor();
    if (isSame(states.get(client), actor)) return null;
    states.set(client, actor);
    return send(client, STATE, [actor.userId, actor.system, actor.closed, actor.reach]).catch((error: unknown) => {
      unsure.add(client);
      throw error;
    });
  };

  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: ((text: unknown, values?: readonly unknown[]) => {
      const stating = statesActor ? state(client) : null;
      // What was said within a transaction may go with it.
      if (typeof text === 'string' && /^(rollback|commit)\b/.test(text)) states.delete(client);
      const result = send(client, text, values);
      return stating === null ? result : Promise.all([stating, result]).then(([, answered]) => answered);
    }) as PostgresPoolClient['query'],
    // One that may work for somebody else than it was told goes.
    release: () => client.release(unsure.has(client)),
  });

  return {
    async connect() {
      assertNoHolder();
      const client = await pool.connect();
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function isSame(last: StatedActor | undefined, actor: StatedActor): boolean {
  if (last === undefined) return false;
  const { userId, system, closed, reach } = actor;
  return last.userId === userId && last.system === system && last.closed === closed && last.reach === reach;
}
