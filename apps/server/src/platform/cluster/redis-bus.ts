import type { Redis } from 'ioredis';
import type { Log } from '#/platform/log.ts';
import type { Bus, Told } from './bus.ts';
import { createEnvelopes } from './envelope.ts';
import { BEAT_MS, DEAF_AFTER_MS, Hearing } from './hearing.ts';

interface RedisBusDeps {
  /** One connection publishes, the other subscribes and does nothing else. */
  readonly teller: Redis;
  readonly listener: Redis;
  readonly subject: string;
  /** 32 bytes that the servers of this installation share, and nobody else. */
  readonly key: Buffer;
  readonly log: Log;
}

/**
 * The bus over the publish and subscribe of a Redis. Nothing is kept there. One subject carries all that is told: a process hears
 * everything in one order, and no socket waits until a subject of its own is subscribed to. A lost message is noticed by its number, a
 * silent Redis by the process's own beat that does not come back.
 */
export function createRedisBus({ teller, listener, subject, key, log }: RedisBusDeps): Bus {
  const envelopes = createEnvelopes(key);
  const hearing = new Hearing();
  const heard: ((told: Told, bytes: Buffer, from: string) => void)[] = [];
  const lost: ((node: string) => void)[] = [];
  const changed: ((isHearing: boolean) => void)[] = [];
  let isHearing = false;
  let otherTimeAt = Number.NEGATIVE_INFINITY;

  function setHearing(next: boolean): void {
    if (next === isHearing) return;
    isHearing = next;
    if (next) log.info('the servers hear each other');
    else log.error('the servers do not hear each other: sockets are closed, and clients ask by themselves');
    for (const tell of changed) tell(next);
  }

  function tell(told: Told, bytes?: Buffer): void {
    // Where it fails nobody hears it; they notice by the number of the next.
    teller.publish(subject, envelopes.close(told, bytes)).catch(() => undefined);
  }

  function take(message: Buffer): void {
    const opened = envelopes.open(message);
    if (opened === null) {
      log.warn('something that no server of this installation has told came by the bus');
      return;
    }
    const now = performance.now();
    if ('differsByMs' in opened) {
      takeOtherTime(opened.differsByMs, now);
      return;
    }
    const { node, number, told, bytes } = opened;
    if (node === envelopes.node) {
      hearing.takeOwn(now);
      if (hearing.isSettled(now) && now - otherTimeAt > DEAF_AFTER_MS) setHearing(true);
      return;
    }
    const arrival = hearing.take(node, number, now);
    if (arrival === 'again') return;
    if (arrival === 'gap') {
      setHearing(false);
      lose(node);
    }
    for (const listen of heard) listen(told, bytes, node);
  }

  /** A server whose clock is wrong tells what nobody takes: until it is right nobody here counts on hearing all. */
  function takeOtherTime(differsByMs: number, now: number): void {
    if (now - otherTimeAt > DEAF_AFTER_MS) {
      const minutes = Math.round(differsByMs / 60_000);
      log.error({ minutes }, 'the clock of another server differs by more than five minutes: have all kept by NTP');
    }
    otherTimeAt = now;
    setHearing(false);
  }

  function lose(node: string): void {
    for (const listen of lost) listen(node);
  }

  function cut(): void {
    hearing.cut();
    setHearing(false);
  }

  listener.on('ready', () => {
    listener.subscribe(subject).then(
      () => tell({ kind: 'beat' }),
      (error: unknown) => log.error({ err: error }, 'the bus could not be subscribed to'),
    );
  });
  listener.on('messageBuffer', (_subject: Buffer, message: Buffer) => take(message));
  listener.on('close', cut);
  teller.on('close', cut);
  const beat = setInterval(() => {
    const now = performance.now();
    if (hearing.isDeaf(now)) setHearing(false);
    for (const node of hearing.takeSilent(now)) lose(node);
    hearing.forgetGone(now);
    tell({ kind: 'beat' });
  }, BEAT_MS).unref();

  return {
    node: envelopes.node,
    tell,
    onTold: (listen) => void heard.push(listen),
    onLost: (listen) => void lost.push(listen),
    onHearing: (listen) => void changed.push(listen),
    isHearing: () => isHearing,
    others: () => hearing.countOthers(performance.now()),
    close() {
      clearInterval(beat);
      // That its connections end now is no outage.
      for (const redis of [listener, teller]) redis.off('close', cut);
    },
  };
}
