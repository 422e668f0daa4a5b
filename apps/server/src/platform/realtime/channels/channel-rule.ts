import { type Channel, channelId } from '@wardline/contract/channel.ts';
import type { LiveKind } from '@wardline/contract/live.ts';
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
  /** The channels of the same thing whose members hear what is live there; nothing is where it is left out. */
  readonly live?: readonly Channel[];
}

/** Who may say that something of this kind is live in a chat. Each feature states the rules of its own kinds. */
export interface LiveRule {
  readonly kind: LiveKind;
  /** Asked with each message, of who is in the chat; `params` are the names in the path. */
  may(
    actor: Actor,
    asked: { readonly chatId: string; readonly params: Readonly<Record<string, string>> },
    db: Database,
  ): Promise<boolean>;
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
  addLive(rules: readonly LiveRule[]): void;
  /** The rule that a channel's name on the wire falls under, with the id in the name; null where there is none. */
  find(name: string): { readonly rule: ChannelRule; readonly id: string } | null;
  /** Null where no feature lets anybody say this. */
  findLive(kind: LiveKind): LiveRule | null;
}

export function createChannelRules(): ChannelRules {
  const known: ChannelRule[] = [];
  const live = new Map<LiveKind, LiveRule>();
  return {
    add: (rules) => void known.push(...rules),
    addLive(rules) {
      for (const rule of rules) live.set(rule.kind, rule);
    },
    findLive: (kind) => live.get(kind) ?? null,
    find(name) {
      for (const rule of known) {
        const id = channelId(rule.channel, name);
        if (id !== null && Id.safeParse(id).success) return { rule, id };
      }
      return null;
    },
  };
}
