import type { Member, Present, Roster } from './presence.ts';

/** A member who first came to one server's sockets of a channel, or last left them. */
export type Move =
  | { readonly channel: string; readonly id: string; readonly info: unknown }
  | { readonly channel: string; readonly id: string; readonly hasLeft: true };

/** What is told of those who come and go. */
export interface RosterListener {
  /** Somebody who was nowhere before is in the channel. */
  added(channel: string, member: Member): void;
  /** Somebody is in the channel nowhere any more. */
  removed(channel: string, memberId: string): void;
  /** The same of this server alone. */
  cameHere(channel: string, member: Member): void;
  wentFromHere(channel: string, member: Present): void;
}

interface Known {
  readonly info: unknown;
  /** How many sockets here, and since when in milliseconds since 1970. */
  sockets: number;
  since: number;
  /** The other servers that have told of them. */
  elsewhere: readonly string[];
}

const NOWHERE: readonly string[] = [];

/**
 * The members of the presence channels of an installation. A person with several sockets, at one server or several, is one member from
 * the first to the last. What is elsewhere is what other servers tell; each is known from when it begins to tell all until it is forgotten.
 */
export class Rosters {
  readonly #channels = new Map<string, Map<string, Known>>();
  readonly #servers = new Set<string>();
  readonly #listener: RosterListener;
  readonly #onMoved: ((move: Move) => void)[] = [];

  constructor(listener: RosterListener) {
    this.#listener = listener;
  }

  /** Called with who came or went here. */
  onMoved(listener: (move: Move) => void): void {
    this.#onMoved.push(listener);
  }

  has(channel: string, memberId: string): boolean {
    return this.#channels.get(channel)?.has(memberId) ?? false;
  }

  size(channel: string): number {
    return this.#channels.get(channel)?.size ?? 0;
  }

  roster(channel: string): Roster {
    const members = [...(this.#channels.get(channel) ?? [])];
    return {
      count: members.length,
      ids: members.map(([id]) => id),
      hash: Object.fromEntries(members.map(([id, { info }]) => [id, info])),
    };
  }

  /** Who of the channel is at this server. */
  presentHere(channel: string): Present[] {
    const members = [...(this.#channels.get(channel) ?? [])];
    return members.flatMap(([id, { sockets, since }]) => (sockets > 0 ? { id, since } : []));
  }

  /** A socket of a member joins here. */
  join(channel: string, member: Member): void {
    const known = this.#find(channel, member);
    known.sockets += 1;
    if (known.sockets > 1) return;
    known.since = Date.now();
    this.#listener.cameHere(channel, member);
    this.#tellMove({ channel, ...member });
    if (known.elsewhere.length === 0) this.#listener.added(channel, member);
  }

  /** A socket of a member leaves here. */
  leave(channel: string, memberId: string): void {
    const known = this.#channels.get(channel)?.get(memberId);
    if (known === undefined || known.sockets === 0) return;
    known.sockets -= 1;
    if (known.sockets > 0) return;
    this.#listener.wentFromHere(channel, { id: memberId, since: known.since });
    this.#tellMove({ channel, id: memberId, hasLeft: true });
    this.#removeIfNowhere(channel, memberId, known);
  }

  /** All who are here, for another server. What is changed meanwhile is told by itself. */
  *here(): Generator<Move> {
    for (const [channel, members] of this.#channels)
      for (const [id, { info, sockets }] of members) if (sockets > 0) yield { channel, id, info };
  }

  knows(server: string): boolean {
    return this.#servers.has(server);
  }

  /** From here on all is told of this server's members. */
  begin(server: string): void {
    this.#servers.add(server);
  }

  /** Another server tells of somebody; nothing is taken of one that has not begun. To tell the same again changes nothing. */
  hear(server: string, move: Move): void {
    if (!this.#servers.has(server)) return;
    if ('hasLeft' in move) this.#leftElsewhere(server, move.channel, move.id);
    else this.#cameElsewhere(server, move.channel, move);
  }

  /** What a server told does not hold any more: its members are not there, until it begins anew. */
  forget(server: string): void {
    if (!this.#servers.delete(server)) return;
    for (const [channel, members] of this.#channels)
      for (const id of members.keys()) this.#leftElsewhere(server, channel, id);
  }

  #tellMove(move: Move): void {
    for (const listen of this.#onMoved) listen(move);
  }

  #cameElsewhere(server: string, channel: string, { id, info }: Member): void {
    const known = this.#find(channel, { id, info });
    if (known.elsewhere.includes(server)) return;
    const wasNowhere = known.sockets === 0 && known.elsewhere.length === 0;
    known.elsewhere = [...known.elsewhere, server];
    if (wasNowhere) this.#listener.added(channel, { id, info });
  }

  #leftElsewhere(server: string, channel: string, memberId: string): void {
    const known = this.#channels.get(channel)?.get(memberId);
    if (!known?.elsewhere.includes(server)) return;
    const left = known.elsewhere.filter((other) => other !== server);
    known.elsewhere = left.length === 0 ? NOWHERE : left;
    this.#removeIfNowhere(channel, memberId, known);
  }

  #find(channel: string, { id, info }: Member): Known {
    const members = this.#channels.get(channel) ?? new Map<string, Known>();
    this.#channels.set(channel, members);
    const known = members.get(id) ?? { info, sockets: 0, since: 0, elsewhere: NOWHERE };
    members.set(id, known);
    return known;
  }

  #removeIfNowhere(channel: string, memberId: string, known: Known): void {
    if (known.sockets > 0 || known.elsewhere.length > 0) return;
    const members = this.#channels.get(channel);
    members?.delete(memberId);
    if (members?.size === 0) this.#channels.delete(channel);
    this.#listener.removed(channel, memberId);
  }
}
