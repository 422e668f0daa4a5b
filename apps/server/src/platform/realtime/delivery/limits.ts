/** What one socket, one channel and the whole gateway may use. All of it can be set for a test or a large hospital. */
export type Limits = typeof defaultLimits;

export const defaultLimits = {
  connections: 10_000,
  /** A hospital often sits behind one address, so this only stops a runaway machine. */
  connectionsPerAddress: 5_000,
  subscriptionsPerConnection: 200,
  framesPerSecond: 400,
  clientEventsPerSecond: 10,
  pingsPerSecond: 10,
  badFramesPerMinute: 60,
  frameBytes: 65_536,
  clientEventBytes: 10_240,
  publishBytes: 65_536,
  presenceMembers: 100,
  presenceInfoBytes: 1_024,
  /** A consumer that is behind by more than this is closed with 4100. */
  queuedBytes: 1_048_576,
  queuedFrames: 256,
  flushBytes: 65_536,
  flushMs: 20,
  sweepMs: 1_000,
  activityTimeoutMs: 30_000,
  pongTimeoutMs: 30_000,
  /** No private subscription and no session is trusted for longer than this without being asked for again. */
  recheckMs: 60_000,
  recheckConcurrency: 16,
  snapshotTimeoutMs: 5_000,
  closeTimeoutMs: 10_000,
  cachedChannels: 1_000,
  cacheTtlMs: 1_800_000,
};
