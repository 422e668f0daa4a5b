import type { AuditAction } from '@wardline/contract/audit-actions.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Log } from '#/platform/log.ts';
import type { Actor } from './actor.ts';
import type { ReadSubject } from './note-reads.ts';
import type { Publication } from './publish.ts';

export type Transaction = DatabaseTransaction;

/** What an audit entry says besides who, when and by what request. Ids and codes only, no text of a person. */
export interface AuditSubject {
  readonly facilityId?: string | null;
  readonly objectType?: string;
  readonly objectId?: string;
  readonly actorId?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** What was asked for and not done; done where it is left out. */
  readonly outcome?: 'refused';
}

/** What a write did. `audit` is null only when nothing was changed, as for a repeat, or a part of what has an entry as a whole. */
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

/** What an audit entry holds, with what the request itself tells. */
export interface AuditEntry {
  readonly actor_id: string | null;
  readonly facility_id: string | null;
  readonly action: string;
  readonly object_type: string | null;
  readonly object_id: string | null;
  readonly outcome: 'done' | 'refused';
  readonly ip: string | null;
  readonly session_hash: Buffer | null;
  readonly request_id: string;
  readonly detail: string | null;
}

/** A queue of changes that one statement can make for several requests at once; made by createWriteGroup. */
export interface WriteGroup<Item, Outcome> {
  add(key: string, change: { readonly item: Item; readonly entry: AuditEntry }): Promise<Outcome>;
}

/** A change that is stored together with those of the same group and key that arrive with it. */
export interface GroupedChange<Item, Outcome, Result> {
  readonly group: WriteGroup<Item, Outcome>;
  readonly key: string;
  readonly item: Item;
  readonly objectType: string;
  /** Called after the commit. */
  done(outcome: Outcome): Pick<Change<Result>, 'result' | 'publish' | 'publishToAll'>;
}

export interface Write {
  /**
   * The only way to a transaction: runs the change, adds the audit entry under this action's name in the same
   * transaction, commits, then publishes. A deadlock or serialisation failure runs it again, so it must only touch the
   * database.
   */
  <Result>(action: AuditAction, change: (tx: Transaction) => Promise<Change<Result>>): Promise<Result>;
  /**
   * The same for the hot path: requests that arrive together share a statement and a commit, with an audit entry for each
   * that changed something. A change that makes the statement fail is tried again alone, and harms no other.
   */
  together<Item, Outcome, Result>(action: AuditAction, change: GroupedChange<Item, Outcome, Result>): Promise<Result>;
}

/** What a verb is given besides its input. */
export interface RequestContext<Who extends Actor | null = Actor> {
  readonly actor: Who;
  /** For reading. */
  readonly db: Database;
  readonly write: Write;
  readonly http: HttpExchange;
  readonly log: Log;
  /** Notes what of patients the person is given to read, before it is given; see NoteReads. */
  readonly noteReads: (action: AuditAction, subjects: readonly ReadSubject[]) => Promise<void>;
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
  /** Whether a browser on the server's own machine asks, without a proxy between. */
  readonly isFromHere: boolean;
  readonly userAgent: string | null;
  /** X-Socket-ID: the socket that must not hear the echo of this request. */
  readonly socketId: string | null;
  /** The value of the session cookie that came with the request, if it is well formed. */
  readonly sessionId: string | null;
  /** Gives the browser a new session id; `maxAgeS` null means until the browser closes. Rotates the CSRF token too. */
  startSession(sessionId: string, maxAgeS: number | null): void;
  /** The same for a browser in which nobody is signed in. */
  startGuestSession(sessionId: string): void;
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
  /** What the answer says in headers of its own, a refusal too. */
  noteHeaders(headers: Readonly<Record<string, string>>): void;
}
