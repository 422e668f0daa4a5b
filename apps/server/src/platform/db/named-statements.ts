import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { assertNoHolder } from './second-connection.ts';

/** Statements built from lists of varying length have many texts; past this many they are sent unnamed. */
const NAMES = 1_000;

/**
 * A pool whose statements are prepared once per connection under a name of their own, so that PostgreSQL parses and
 * plans each text once and not for every request.
 */
export function withNamedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= NAMES) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };

  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: (text: unknown, values?: readonly unknown[]) => {
      const name = typeof text === 'string' && values !== undefined && values.length > 0 ? nameOf(text) : undefined;
      if (name === undefined) return client.query(text as string, values as unknown[]) as never;
      return client.query({ name, text: text as string, values: values as unknown[] }) as never;
    },
    release: () => client.release(),
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
