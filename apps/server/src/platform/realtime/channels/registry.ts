import type { Connection, Identity, SignedInUser } from './sockets-and-channels.ts';

/** All open sockets, and which of them belong to a person, a session, a signed-in user, an address. */
export class Registry {
  readonly #byId = new Map<string, Connection>();
  readonly #byUser = new Map<string, Set<Connection>>();
  readonly #bySession = new Map<string, Set<Connection>>();
  readonly #bySignedIn = new Map<string, Set<Connection>>();
  readonly #byAddress = new Map<string, Set<Connection>>();

  get size(): number {
    return this.#byId.size;
  }

  all(): IterableIterator<Connection> {
    return this.#byId.values();
  }

  find(socketId: string): Connection | null {
    return this.#byId.get(socketId) ?? null;
  }

  ofUser(userId: string): Connection[] {
    return [...(this.#byUser.get(userId) ?? [])];
  }

  ofSession(sessionKey: string): Connection[] {
    return [...(this.#bySession.get(sessionKey) ?? [])];
  }

  ofSignedIn(userId: string): Connection[] {
    return [...(this.#bySignedIn.get(userId) ?? [])];
  }

  countAddress(address: string): number {
    return this.#byAddress.get(address)?.size ?? 0;
  }

  add(connection: Connection): void {
    this.#byId.set(connection.id, connection);
    addTo(this.#byAddress, connection.address, connection);
  }

  identify(connection: Connection, identity: Identity): void {
    connection.identity = identity;
    addTo(this.#byUser, identity.userId, connection);
    addTo(this.#bySession, identity.sessionKey, connection);
  }

  signIn(connection: Connection, user: SignedInUser): void {
    connection.user = user;
    addTo(this.#bySignedIn, user.id, connection);
  }

  remove(connection: Connection): void {
    this.#byId.delete(connection.id);
    removeFrom(this.#byAddress, connection.address, connection);
    if (connection.identity !== null) {
      removeFrom(this.#byUser, connection.identity.userId, connection);
      removeFrom(this.#bySession, connection.identity.sessionKey, connection);
    }
    if (connection.user !== null) removeFrom(this.#bySignedIn, connection.user.id, connection);
  }
}

function addTo(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, new Set([connection]));
  else present.add(connection);
}

function removeFrom(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const present = index.get(key);
  present?.delete(connection);
  if (present?.size === 0) index.delete(key);
}
