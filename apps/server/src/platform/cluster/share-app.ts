import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { ChannelState, Gateway } from '#/platform/realtime/connections/gateway.ts';
import type { AppSockets } from '#/platform/realtime/http-api/serve-http-api.ts';
import type { ChannelWatch, Stay } from '#/platform/realtime/webhooks/watch-channels.ts';
import type { Bus, Told } from './bus.ts';

const ANSWER_MS = 1_000;

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
  const asked = new Map<string, (seen: unknown) => void>();

  function hear(told: Told, bytes: Buffer): void {
    switch (told.kind) {
      case 'app deliver':
        gateway.deliver({ channel: told.channel, except: told.except, frame: bytes });
        break;
      case 'app end':
        gateway.terminate(told.userId);
        break;
      case 'app look': {
        const seen = JSON.stringify('staysIn' in told.asked ? stays(told.asked.staysIn) : gateway.look(told.asked));
        bus?.tell({ kind: 'app seen', question: told.question }, Buffer.from(seen));
        break;
      }
      case 'app seen':
        asked.get(told.question)?.(JSON.parse(bytes.toString()));
    }
  }

  bus?.onTold(hear);
  bus?.onHearing((isHearing) => (isHearing ? gateway.resume() : gateway.pause()));
  if (bus?.isHearing() === false) gateway.pause();

  /** What each of the others answers. */
  async function askOthers(question: Extract<Told, { kind: 'app look' }>['asked']): Promise<unknown[]> {
    const others = bus?.others() ?? 0;
    if (bus === null || others === 0) return [];
    const id = randomUUID();
    const answers: unknown[] = [];
    let unanswered: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      asked.set(id, (answer) => {
        answers.push(answer);
        if (answers.length >= others) resolve();
      });
      // Whoever has not answered is gone, and its sockets with it.
      unanswered = setTimeout(resolve, ANSWER_MS);
      bus.tell({ kind: 'app look', question: id, asked: question });
    });
    clearTimeout(unanswered);
    asked.delete(id);
    return answers;
  }

  return {
    relay: gateway.relay,
    async look(channels) {
      const elsewhere = await askOthers(channels);
      return mergeStates([gateway.look(channels), ...elsewhere.map((answer) => States.parse(answer))].flat());
    },
    async askOthersForStays(channels) {
      const elsewhere = await askOthers({ staysIn: channels });
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
