import * as z from 'zod/mini';
import type { ChannelState, Gateway } from '#/platform/realtime/connections/gateway.ts';
import type { AppSockets } from '#/platform/realtime/http-api/serve-http-api.ts';
import type { ChannelWatch, Stay } from '#/platform/realtime/webhooks/watch-channels.ts';
import { createAskOthers } from './ask-others.ts';
import type { Asked, Bus } from './bus.ts';
import { shareRosters } from './share-rosters.ts';

/** The sockets of the Pusher application on every server. */
export interface SharedApp extends AppSockets {
  /** The stays in these channels at the other servers. */
  askOthersForStays(channels: readonly string[]): Promise<readonly Stay[]>;
}

const States = z.array(
  z.strictObject({
    name: z.string(),
    sockets: z.number(),
    since: z.number(),
    members: z.array(z.strictObject({ id: z.string(), since: z.number() })),
  }),
);

const Stays = z.array(
  z.strictObject({
    channel: z.string(),
    memberId: z.nullable(z.string()),
    since: z.number(),
    wentAt: z.nullable(z.number()),
  }),
);

/**
 * Does for the Pusher application on all servers what is asked of one, and takes no socket while it does not hear the others. Its
 * gateway tells the bus by itself what is published; `stays` answers the others. Without a bus there is one server.
 */
export function shareApp(gateway: Gateway, bus: Bus | null, stays: ChannelWatch['stays']): SharedApp {
  function answerHere(asked: Asked): unknown {
    if (asked.about === 'app stays') return stays(asked.channels);
    return asked.about === 'app channels' ? gateway.look(asked.channels) : undefined;
  }

  bus?.onTold((told, bytes) => {
    if (told.kind === 'app deliver') gateway.deliver({ channel: told.channel, except: told.except, frame: bytes });
    if (told.kind === 'app end') gateway.terminate(told.userId);
  });
  const ask = bus ? createAskOthers(bus, answerHere) : async () => [];
  if (bus) shareRosters('app', gateway.rosters, bus);
  bus?.onHearing((isHearing) => (isHearing ? gateway.resume() : gateway.pause()));
  if (bus?.isHearing() === false) gateway.pause();

  return {
    relay: gateway.relay,
    async look(channels) {
      const elsewhere = await ask({ about: 'app channels', channels });
      return mergeStates([gateway.look(channels), ...elsewhere.map((answer) => States.parse(answer))].flat());
    },
    async askOthersForStays(channels) {
      const elsewhere = await ask({ about: 'app stays', channels });
      return elsewhere.flatMap((answer) => Stays.parse(answer));
    },
    terminate(userId) {
      gateway.terminate(userId);
      bus?.tell({ kind: 'app end', userId });
    },
  };
}

/** One state a channel. A person who is at two servers is one member. */
function mergeStates(states: readonly ChannelState[]): ChannelState[] {
  const merged = new Map<string, ChannelState>();
  for (const state of states) {
    const known = merged.get(state.name);
    merged.set(state.name, known === undefined ? state : mergeTwo(known, state));
  }
  return [...merged.values()];
}

function mergeTwo(a: ChannelState, b: ChannelState): ChannelState {
  const members = new Map([...a.members, ...b.members].map((member) => [member.id, member]));
  return {
    name: a.name,
    sockets: a.sockets + b.sockets,
    since: Math.min(a.since, b.since),
    members: [...members.values()],
  };
}
