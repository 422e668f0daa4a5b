import type { Tone } from '@wardline/ui/mark/dot.tsx';

export interface ConnectionState {
  readonly state: string;
  readonly isOnline: boolean;
}

export interface OutboxState {
  readonly waiting: number;
  readonly failed: number;
}

/** `blocked` and `refused` do not come back by themselves: by this browser or network, or by the server (4001, 4302 …). */
export type Liveness = 'live' | 'connecting' | 'reconnecting' | 'offline' | 'blocked' | 'refused';

/** What a person has to know of the connection. */
export function liveness({ state, isOnline }: ConnectionState): Liveness {
  if (!isOnline) return 'offline';
  if (state === 'connected') return 'live';
  if (state === 'failed') return 'blocked';
  if (state === 'disconnected') return 'refused';
  return state === 'initialized' || state === 'connecting' ? 'connecting' : 'reconnecting';
}

const text: Readonly<Record<Liveness, { tone: Tone; word: string }>> = {
  live: { tone: 'success', word: 'Live' },
  connecting: { tone: 'neutral', word: 'Connecting' },
  reconnecting: { tone: 'warning', word: 'Reconnecting' },
  offline: { tone: 'neutral', word: 'Offline' },
  blocked: { tone: 'error', word: 'Not live' },
  refused: { tone: 'error', word: 'Not live' },
};

/** The line in the rail: the connection, and what this device still owes the server. */
export function connectionLine(connection: ConnectionState, outbox: OutboxState): { tone: Tone; label: string } {
  const { tone, word } = text[liveness(connection)];
  const owed = [
    ...(outbox.waiting > 0 ? [`${outbox.waiting} waiting`] : []),
    ...(outbox.failed > 0 ? [`${outbox.failed} not sent`] : []),
  ];
  return { tone: outbox.failed > 0 ? 'error' : tone, label: [word, ...owed].join(' · ') };
}
