import type { RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import type { Actor } from './actor.ts';
import type { Publication } from './publish.ts';

export type Transaction = DatabaseTransaction;

/** What an audit entry says besides who, when and by what request. Ids and codes only, no text of a person. */
export interface AuditSubject {
  readonly facilityId?: string | null;
  readonly objectType?: string;
  readonly objectId?: string;
  readonly actorId?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** What a write did. `audit` is null only when nothing was changed, as for a repeat. */
export interface Change<Result> {
  readonly result: Result;
  readonly audit: AuditSubject | null;
  /** Sent after the commit, in this order. */
  readonly publish?: readonly Publication[];
  /** The same, to the socket that asked as well: what its reply does not say. */
  readonly publishToAll?: readonly Publication[];
  /** Done after the commit, before the answer: ends sockets, closes channels. */
  readonly afterCommit?: () => void | Promise<void>;
}

/** What a statement that changes something by itself must say of each row, for the audit. */
export interface AuditedRow {
  readonly id: string | null;
  readonly facility_id: string | null;
  readonly is_changed: boolean;
  readonly audit_detail: unknown;
}

/** A change that one `select` of a volatile function makes whole. */
export interface StatementChange<Row extends AuditedRow, Result> {
  readonly objectType: string;
  readonly statement: RawBuilder<Row>;
  /** Called after the commit. */
  done(rows: readonly Row[]): { readonly result: Result; readonly publish?: readonly Publication[] };
}

export interface Write {
  /**
   * The only way to a transaction: runs the change, adds the audit entry under this action's name in the same
   * transaction, commits, then publishes. A deadlock or serialisation failure runs it again, so it must only touch the
   * database.
   */
  <Result>(action: string, change: (tx: Transaction) => Promise<Change<Result>>): Promise<Result>;
  /**
   * The same for the hot path, in one round trip instead of four: the audit entry of each changed row is part of the
   * statement, which is its own transaction.
   */
  statement<Row extends AuditedRow, Result>(action: string, change: StatementChange<Row, Result>): Promise<Result>;
}

/** What a verb is given besides its input. */
export interface RequestContext<Who extends Actor | null = Actor> {
  readonly actor: Who;
  /** For reading. */
  readonly db: Database;
  readonly write: Write;
  readonly http: HttpExchange;
  readonly log: Log;
}

/** How often something may be done, and how often it still may. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
}

/** The few facts of the HTTP exchange that a verb may see, and the cookies it may set. */
export interface HttpExchange {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string | null;
  /** X-Socket-ID: the socket that must not hear the echo of this request. */
  readonly socketId: string | null;
  /** The value of the session cookie that came with the request, if it is well formed. */
  readonly sessionId: string | null;
  /** Gives the browser a new session id; `maxAgeS` null means until the browser closes. Rotates the CSRF token too. */
  startSession(sessionId: string, maxAgeS: number | null): void;
  /** What the last mailed link left in this browser, if there was one. */
  readonly followedLink: string | null;
  /** Keeps in this browser which mailed link was followed, for half an hour; null forgets it. */
  noteFollowedLink(value: string | null): void;
  /** What the last sign-in left on this device, if there was one. */
  readonly device: string | null;
  /** Keeps on this device that somebody has signed in there. */
  noteDevice(value: string): void;
  /** Whether whoever asked has hung up: long work that nobody waits for any more is given up. */
  isGone(): boolean;
  /** Says in X-RateLimit-Limit and X-RateLimit-Remaining how often this may still be asked for. */
  noteQuota(quota: Quota): void;
}
