import type { Actor } from '#/platform/authorise/actor.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { HttpExchange } from '#/platform/http/http-exchange.ts';
import type { Log } from '#/platform/log/log.ts';
import type { Publication } from '#/platform/publish/publish.ts';

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
  /** Done after the commit, before the answer: ends sockets, closes channels. */
  readonly afterCommit?: () => void | Promise<void>;
}

/**
 * The only way to a transaction: runs the change, adds the audit entry under this action's name in the same
 * transaction, commits, then publishes. A deadlock or serialisation failure runs it again, so it must only touch the
 * database.
 */
export type Write = <Result>(
  action: string,
  change: (tx: DatabaseTransaction) => Promise<Change<Result>>,
) => Promise<Result>;

/** What a verb is given besides its input. */
export interface RequestContext<Who extends Actor | null = Actor> {
  readonly actor: Who;
  /** For reading. */
  readonly db: Database;
  readonly write: Write;
  readonly http: HttpExchange;
  readonly log: Log;
}
