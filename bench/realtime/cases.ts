export const serverKinds = ['gateway', 'ws', 'socket.io'] as const;
export type ServerKind = (typeof serverKinds)[number];

/** `inFlight` broadcasts are kept going to `subscribers` sockets; ratios are ours to theirs. */
export type Case = { id: string; subscribers: number; inFlight: number; goals: { [kind in ServerKind]?: number } };

export const cases: Case[] = [
  { id: 'RT-G1', subscribers: 1_000, inFlight: 1, goals: { ws: 1.15, 'socket.io': 1.4 } },
  { id: 'RT-G2', subscribers: 1_000, inFlight: 8, goals: { ws: 4, 'socket.io': 4 } },
  { id: 'RT-G3', subscribers: 100, inFlight: 64, goals: { ws: 10 } },
];

/** What the receivers tell a server on its control connection before the first acknowledgement. */
export type Run = { subscribers: number; inFlight: number; warmUpMs: number; measureMs: number };

/** What a server measured over one run. */
export type Measured = { deliveries: number; cpuMs: number; wallMs: number };

/** Broadcasts at a rate, for so long. */
export type Offer = { perSecond: number; durationMs: number };

export type Offered = { offered: number; wallMs: number; cpuMs: number };

/** What a server is told over its channel to the parent, besides the runs of the control connection. */
export type ServerOrder = ({ kind: 'offer' } & Offer) | { kind: 'memory' };

/** The clock that all processes of a machine share. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

export type ServerReady = { port: number; controlPort: number };

export type ReceiverOrder = ServerReady & { kind: ServerKind; run: Run };

export const channel = 'news';
export const event = 'App.Events.MessageSent';

/** About the size of a short chat message. */
export function message(n: number): unknown {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`,
    sender_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    sender_name: 'Ada Lovelace',
    seq: n,
    sent_at: '2026-01-01T12:00:00.000Z',
    body: 'Bed 12 is ready; please bring the chart along when you come up.',
  };
}
