import pg from 'pg';
import { vi } from 'vitest';

/** What PostgreSQL is sent while this is done, in order: the text of each statement, without the values it is about. */
export async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await act();
    return query.mock.calls.map(([statement]: readonly unknown[]) => textOf(statement));
  } finally {
    query.mockRestore();
  }
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : (statement as { text: string }).text;
}

/** The tables that these statements insert into, in order. */
export function insertedBy(statements: readonly string[]): string[] {
  return statements.flatMap((text) => /^\s*insert into "?(\w+)/.exec(text)?.[1] ?? []);
}
