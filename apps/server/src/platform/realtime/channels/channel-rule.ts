import { type Channel, channelId } from '@wardline/contract/channel.ts';
import { Id } from '@wardline/contract/values.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';

/**
 * Who may join a channel of the contract, and what a newcomer is told. Each feature states the rules of its own. A public
 * channel is open to anyone who can connect, so its rule asks nobody; one without a rule does not exist.
 */
export interface ChannelRule {
  readonly channel: Channel;
  /** Null refuses; not asked for a public channel. */
  join(actor: Actor, id: string, db: Database): Promise<null | Joined>;
  /** Merged into the answer to a subscription, read after joining. */
  snapshot?(id: string, db: Database): Promise<Record<string, unknown>>;
}

/** The rules of all features; made before them, so that what asks for a rule can be made before them too. */
export interface Joined {
  /** What a presence channel tells others of the member. */
  readonly info?: Record<string, unknown>;
  /** Facilities whose news this socket is not told. */
  readonly without?: readonly string[];
}

export interface ChannelRules {
  add(rules: readonly ChannelRule[]): void;
  /** The rule that a channel's name on the wire falls under, with the id in the name; null where there is none. */
  find(name: string): { readonly rule: ChannelRule; readonly id: string } | null;
}

export function createChannelRules(): ChannelRules {
  const known: ChannelRule[] = [];
  return {
    add: (rules) => void known.push(...rules),
    find(name) {
      for (const rule of known) {
        const id = channelId(rule.channel, name);
        if (id !== null && Id.safeParse(id).success) return { rule, id };
      }
      return null;
    },
  };
}
