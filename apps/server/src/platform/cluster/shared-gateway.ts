import * as z from 'zod/mini';
import type { Gateway, Identity } from '#/platform/realtime/connections/gateway.ts';
import { createAskOthers } from './ask-others.ts';
import type { Asked, Bus, Told } from './bus.ts';
import { shareRosters } from './share-rosters.ts';

const BindOutcome = z.enum(['bound', 'refused', 'unknown']);
/** What became of binding a socket: `unknown` where no server has it. */
export type BindOutcome = z.output<typeof BindOutcome>;

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
  function bindHere(socketId: string, identity: Identity): BindOutcome {
    if (!gateway.isConnected(socketId)) return 'unknown';
    return gateway.identify(socketId, identity) ? 'bound' : 'refused';
  }

  function hear(told: Told, bytes: Buffer): void {
    if (told.kind === 'deliver') gateway.deliver({ ...told, frame: bytes });
    if (told.kind === 'end') END[told.sockets](gateway, told.id);
    if (told.kind === 'recheck') void gateway.recheck(told.userId === undefined ? {} : { userId: told.userId });
    if (told.kind === 'forget') forget(told);
  }

  bus?.onTold(hear);
  const ask =
    bus &&
    createAskOthers(bus, (asked) =>
      asked.about === 'bind' ? bindHere(asked.socketId, toIdentity(asked.identity)) : undefined,
    );
  if (bus) shareRosters('product', gateway.rosters, bus);
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
      if (here !== 'unknown' || ask === null) return here;
      const isHeld = (answer: unknown) => answer !== 'unknown';
      const held = (await ask({ about: 'bind', socketId, identity }, isHeld)).find(isHeld);
      return held === undefined ? 'unknown' : BindOutcome.parse(held);
    },
  };
}

const END: Readonly<Record<Extract<Told, { kind: 'end' }>['sockets'], (gateway: Gateway, id: string) => void>> = {
  session: (gateway, id) => gateway.endSession(id),
  user: (gateway, id) => gateway.endUser(id),
};

function toIdentity({ userId, sessionKey, isWatched }: Extract<Asked, { about: 'bind' }>['identity']): Identity {
  return { userId, sessionKey, ...(isWatched !== undefined && { isWatched }) };
}
