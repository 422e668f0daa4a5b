import type { Connection, Identity, Peer, SignedInUser } from './sockets-and-channels.ts';

/** All open sockets, and which of them belong to a person, a session, a signed-in user, an address. */
export class Registry {
  readonly #byId = new Map<string, Connection>();
  readonly #byUser = new Map<string, Set<Connection>>();
  readonly #bySession = new Map<string, Set<Connection>>();
  readonly #bySignedIn = new Map<string, Set<Connection>>();
  readonly #byAddress = new Map<string, Set<Connection>>();
  /** Nobody is known behind these: by what they come from, and those of no known device, the oldest first. */
  readonly #anonymous = new Map<string, Set<Connection>>();
  readonly #strangers = new Set<Connection>();

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

  get strangers(): number {
    return this.#strangers.size;
  }

  oldestStranger(): Connection | null {
    const [oldest] = this.#strangers;
    return oldest ?? null;
  }

  countAnonymous(peer: Peer): number {
    return this.#anonymous.get(peerKey(peer))?.size ?? 0;
  }

  countUser(userId: string): number {
    return this.#byUser.get(userId)?.size ?? 0;
  }

  add(connection: Connection): void {
    this.#byId.set(connection.id, connection);
    addTo(this.#byAddress, connection.peer.address, connection);
    addTo(this.#anonymous, peerKey(connection.peer), connection);
    if (connection.peer.device === null) this.#strangers.add(connection);
  }

  identify(connection: Connection, identity: Identity): void {
    connection.identity = identity;
    this.#forgetAnonymous(connection);
    addTo(this.#byUser, identity.userId, connection);
    addTo(this.#bySession, identity.sessionKey, connection);
  }

  signIn(connection: Connection, user: SignedInUser): void {
    connection.user = user;
    addTo(this.#bySignedIn, user.id, connection);
  }

  remove(connection: Connection): void {
    this.#byId.delete(connection.id);
    removeFrom(this.#byAddress, connection.peer.address, connection);
    this.#forgetAnonymous(connection);
    if (connection.identity !== null) {
      removeFrom(this.#byUser, connection.identity.userId, connection);
      removeFrom(this.#bySession, connection.identity.sessionKey, connection);
    }
    if (connection.user !== null) removeFrom(this.#bySignedIn, connection.user.id, connection);
  }

  #forgetAnonymous(connection: Connection): void {
    this.#strangers.delete(connection);
    removeFrom(this.#anonymous, peerKey(connection.peer), connection);
  }
}

/** What a limit of sockets nobody is known behind is counted by. */
export function peerKey({ address, device }: Peer): string {
  return device === null ? `address ${address}` : `device ${device}`;
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
