import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The work that nobody's membership narrows: what is asked before anybody is known, and what the server does by itself. All of it.
 * That of a system administrator is narrowed to what a facility is and who belongs to it.
 */
export type SystemWork =
  | 'administration'
  | 'clock'
  | 'guest'
  | 'identity'
  | 'job'
  | 'membership'
  | 'messages'
  | 'patient system'
  | 'purge'
  | 'readiness'
  | 'socket'
  | 'start';

/** For whom a connection works: what the policies of the tables go by (docs/decisions/057). */
export interface StatedActor {
  /** Empty for the system, unless a person administers it. */
  readonly userId: string;
  /** Empty for a person otherwise. */
  readonly system: SystemWork | '';
  /** The facilities of which this session is shown nothing, as PostgreSQL writes an array. */
  readonly closed: string;
  /** One's own chats, or, in a change that was authorised, all of one's own facilities. */
  readonly reach: 'own' | 'facilities';
}

const stated = new AsyncLocalStorage<StatedActor>();

/** Runs what is done for a person; `closedFacilities` are those that their session lacks a second factor for. */
export function asActor<Result>(
  userId: string,
  closedFacilities: readonly string[],
  run: () => Promise<Result>,
): Promise<Result> {
  return stated.run({ userId, system: '', closed: `{${closedFacilities.join(',')}}`, reach: 'own' }, run);
}

/** Runs what is done for nobody. */
export function asSystem<Result>(
  system: Exclude<SystemWork, 'administration'>,
  run: () => Promise<Result>,
): Promise<Result> {
  return stated.run({ userId: '', system, closed: '{}', reach: 'own' }, run);
}

/** Runs what an authorised person does beyond the chats that they are in, in the facilities of which they are a member. */
export function inOwnFacilities<Result>(run: () => Promise<Result>): Promise<Result> {
  const actor = stated.getStore();
  // Whoever owns the tables states nobody.
  return actor ? stated.run({ ...actor, reach: 'facilities' }, run) : run();
}

/** Runs what a system administrator does with facilities and who belongs to them; that they are one the database asks itself. */
export function acrossFacilities<Result>(run: () => Promise<Result>): Promise<Result> {
  const actor = stated.getStore();
  return actor ? stated.run({ ...actor, system: actor.system || 'administration' }, run) : run();
}

/** What is read part by part goes on for whom it was begun, whoever asks for the next part. */
export function keepStated<Part>(parts: AsyncIterable<Part>): AsyncIterable<Part> {
  const within = AsyncLocalStorage.snapshot();
  return {
    [Symbol.asyncIterator]() {
      const reading = parts[Symbol.asyncIterator]();
      return {
        next: () => within(() => reading.next()),
        return: (value) => within(() => reading.return?.(value) ?? Promise.resolve({ done: true, value })),
      };
    },
  };
}

/** Whoever the running work is for; throws where nobody said. */
export function statedActor(): StatedActor {
  const actor = stated.getStore();
  if (actor) return actor;
  throw new Error(
    'A query states nobody: run it inside asActor, or asSystem if it is nobody’s (platform/db/stated-actor.ts).',
  );
}
