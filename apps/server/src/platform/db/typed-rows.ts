import type { RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './database.ts';

type Base<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [Date]
        ? 'date'
        : [Value] extends [Buffer]
          ? 'buffer'
          : [Value] extends [readonly unknown[]]
            ? 'array'
            : 'json';
type KindOf<Value> = null extends Value ? `${Base<NonNullable<Value>>}?` : Base<Value>;

/** The columns of a row, each as what it is in JavaScript; `?` where it may be null. The compiler holds it to the row's type. */
export type Kinds<Row> = { readonly [Column in keyof Row]-?: KindOf<Row[Column]> };

export interface TypedRows<Row> {
  readonly kinds: Kinds<Row>;
  /** All rows of a query in raw SQL. */
  read(db: Database | DatabaseTransaction, query: RawBuilder<unknown>): Promise<Row[]>;
  /** Its first row, if it finds one. */
  first(db: Database | DatabaseTransaction, query: RawBuilder<unknown>): Promise<Row | undefined>;
  /** For a row that something else has read: compares it in tests, and does nothing elsewhere. */
  check(row: Row): void;
}

let areChecked = false;

/** From now on rows are compared with what is said of them: for tests, where every query runs. */
export function checkTypedRows(): void {
  areChecked = true;
}

/**
 * Reads raw SQL, which says nothing of its rows to the compiler: for what the query builder cannot say. `Row` is made of the
 * generated types where it can be. In tests each row must have these columns, no others, and values of these kinds.
 */
export function typedRows<Row extends object>(kinds: Kinds<Row>): TypedRows<Row> {
  const check = (row: Row) => {
    if (areChecked) assertKinds(row, kinds);
  };
  const read = async (db: Database | DatabaseTransaction, query: RawBuilder<unknown>): Promise<Row[]> => {
    const rows = (await query.execute(db)).rows as Row[];
    rows.forEach(check);
    return rows;
  };
  return { kinds, read, check, first: async (db, query) => (await read(db, query))[0] };
}

function assertKinds(row: unknown, kinds: Readonly<Record<string, string>>): void {
  const found = Object.entries(row ?? {});
  const known = found.map(([column]) => column);
  const wrong = [
    ...Object.keys(kinds)
      .filter((column) => !known.includes(column))
      .map((column) => `${column} is missing`),
    ...found.flatMap(([column, value]) => {
      const kind = kinds[column];
      if (kind === undefined) return [`${column} is not told of`];
      return isOfKind(value, kind) ? [] : [`${column} is no ${kind}`];
    }),
  ];
  if (wrong.length > 0) throw new TypeError(`The row of a query is not what its type says: ${wrong.join(', ')}.`);
}

function isOfKind(value: unknown, kind: string): boolean {
  if (value === null) return kind.endsWith('?');
  switch (kind.replace('?', '')) {
    case 'date':
      return value instanceof Date;
    case 'buffer':
      return Buffer.isBuffer(value);
    case 'array':
      return Array.isArray(value);
    case 'json':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === kind.replace('?', '');
  }
}
