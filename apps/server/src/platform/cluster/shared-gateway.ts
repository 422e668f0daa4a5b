import { randomUUID } from 'node:crypto';
import type { Gateway, Identity } from '#/platform/realtime/connections/gateway.ts';
import type { Bus, Told } from './bus.ts';

const ANSWER_MS = 1_000;

/** What became of binding a socket: `unknown` where no server has it. */
export type BindOutcome = 'bound' | 'refused' | 'unknown';

/** What is done to the sockets of every server. */
export interface SharedGateway extends Pick<Gateway, 'endSession' | 'endUser'> {
  /** Binds a socket to a session, whichever server holds it. */
  bind(socketId: string, identity: Identity): Promise<BindOutcome>;
  /** Resolved when it is done here; the others do it as soon as they hear. */
  recheck(filter: { readonly userId?: string }): Promise<void>;
}

/** What this process remembers of a person or a credential. */
export interface Remembered {
  readonly userId?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Does to the sockets of all servers what is done to those of one, and takes none while it does not hear the others. Without a bus
 * there is one server. `forget` drops what this process remembers.
 */
export function shareGateway(gateway: Gateway, bus: Bus | null, forget: (what: Remembered) => void): SharedGateway {
  const asked = new Map<string, (isBound: boolean) => void>();

  function bindHere(socketId: string, identity: Identity): BindOutcome {
    if (!gateway.isConnected(socketId)) return 'unknown';
    return gateway.identify(socketId, identity) ? 'bound' : 'refused';
  }

  function hear(told: Told, bytes: Buffer): void {
    switch (told.kind) {
      case 'beat':
      case 'app deliver':
      case 'app end':
      case 'app look':
      case 'app seen':
        // The other gateway's; see share-app.ts.
        return;
      case 'deliver':
        gateway.deliver({ ...told, frame: bytes });
        return;
      case 'end':
        END[told.sockets](gateway, told.id);
        return;
      case 'recheck':
        void gateway.recheck(told.userId === undefined ? {} : { userId: told.userId });
        return;
      case 'forget':
        forget(told);
        return;
      case 'bind': {
        const outcome = bindHere(told.socketId, toIdentity(told.identity));
        if (outcome !== 'unknown') bus?.tell({ kind: 'bound', question: told.question, isBound: outcome === 'bound' });
        return;
      }
      case 'bound':
        asked.get(told.question)?.(told.isBound);
    }
  }

  bus?.onTold(hear);
  bus?.onHearing((isHearing) => (isHearing ? gateway.resume() : gateway.pause()));
  if (bus?.isHearing() === false) gateway.pause();

  const end = (sockets: keyof typeof END) => (id: string) => {
    END[sockets](gateway, id);
    bus?.tell({ kind: 'end', sockets, id });
  };

  return {
    endSession: end('session'),
    endUser: end('user'),
    recheck(filter) {
      bus?.tell({ kind: 'recheck', ...filter });
      return gateway.recheck(filter);
    },
    async bind(socketId, identity) {
      const here = bindHere(socketId, identity);
      if (here !== 'unknown' || bus === null) return here;
      const question = randomUUID();
      let unanswered: NodeJS.Timeout | undefined;
      try {
        return await new Promise<BindOutcome>((resolve) => {
          asked.set(question, (isBound) => resolve(isBound ? 'bound' : 'refused'));
          // Nobody has it, or whoever has it is gone.
          unanswered = setTimeout(() => resolve('unknown'), ANSWER_MS);
          bus.tell({ kind: 'bind', question, socketId, identity });
        });
      } finally {
        clearTimeout(unanswered);
        asked.delete(question);
      }
    },
  };
}

const END: Readonly<Record<Extract<Told, { kind: 'end' }>['sockets'], (gateway: Gateway, id: string) => void>> = {
  session: (gateway, id) => gateway.endSession(id),
  user: (gateway, id) => gateway.endUser(id),
};

function toIdentity({ userId, sessionKey, isWatched }: Extract<Told, { kind: 'bind' }>['identity']): Identity {
  return { userId, sessionKey, ...(isWatched !== undefined && { isWatched }) };
}
