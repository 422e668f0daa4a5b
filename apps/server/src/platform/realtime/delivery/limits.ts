/** What one socket, one channel and the whole gateway may use. All of it can be set for a test or a large hospital. */
export type Limits = typeof defaultLimits;

export const defaultLimits = {
  connections: 10_000,
  /** A hospital often sits behind one address, so this only stops a runaway machine. */
  connectionsPerAddress: 5_000,
  connectionsPerUser: 100,
  /** A socket whose session nobody has named within this time is closed with 4009, whatever it sends. */
  anonymousMs: 10_000,
  /** Seats for sockets that nobody is known behind, of strangers; when they are taken, the oldest makes room. */
  strangers: 1_000,
  /** Of one address; a tenth of it a second anew. */
  strangersPerAddress: 500,
  /** The same of a device that somebody has signed in on before, which is no stranger. */
  anonymousPerDevice: 50,
  /** A stranger is not sent away for the next one before this time, in which a page shows who it is. */
  strangerGraceMs: 2_000,
  subscriptionsPerConnection: 200,
  /** In which there is somebody. Where people are asked for they bound it themselves. */
  channels: Number.POSITIVE_INFINITY,
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
