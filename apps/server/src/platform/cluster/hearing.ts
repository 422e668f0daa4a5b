import { MOST_AGE_MS } from './envelope.ts';

/** A process says so often that it is there. */
export const BEAT_MS = 1_000;
/** After so long without its own beat a process counts as deaf. */
export const DEAF_AFTER_MS = 4_000;
/** So long it listens after a cut before it counts on what it hears: time for a beat of each other process, whose number shows what is missing. */
export const SETTLE_MS = 1_000;
/** After so long without a word a process is forgotten: by then no clock takes what it told for new. */
export const GONE_AFTER_MS = 2 * MOST_AGE_MS;

/** What came in, by the number that its process gave it: in order, again, or with others before it that never came. */
export type Arrival = 'next' | 'again' | 'gap';

/** Keeps count of what each process has told, so that what was lost on the way is noticed. Of pure state; times in milliseconds. */
export class Hearing {
  readonly #nodes = new Map<string, { number: number; at: number; isSilent: boolean }>();
  #heardOwnAt = Number.NEGATIVE_INFINITY;
  #settlesFrom = Number.POSITIVE_INFINITY;

  /** How many other processes there are: one that has not said so for some beats is gone, though it is not forgotten yet. */
  countOthers(now: number): number {
    return [...this.#nodes.values()].filter(({ at }) => now - at <= DEAF_AFTER_MS).length;
  }

  /** Its own beat came back. What this process tells reaches its sockets without the bus: nothing of it is ever missing. */
  takeOwn(now: number): void {
    if (this.isDeaf(now)) this.#settlesFrom = now;
    this.#heardOwnAt = now;
  }

  /** Whether all that others tell is heard. */
  isSettled(now: number): boolean {
    return !this.isDeaf(now) && now - this.#settlesFrom >= SETTLE_MS;
  }

  take(node: string, number: number, now: number): Arrival {
    const known = this.#nodes.get(node);
    if (known !== undefined && number <= known.number) return 'again';
    this.#nodes.set(node, { number, at: now, isSilent: false });
    return known === undefined || number === known.number + 1 ? 'next' : 'gap';
  }

  /** Those who have said nothing for some beats, each once until it says something again. */
  takeSilent(now: number): string[] {
    const silent = [...this.#nodes].filter(([, { at, isSilent }]) => !isSilent && now - at > DEAF_AFTER_MS);
    for (const [, node] of silent) node.isSilent = true;
    return silent.map(([name]) => name);
  }

  isDeaf(now: number): boolean {
    return now - this.#heardOwnAt > DEAF_AFTER_MS;
  }

  /** The way was cut. The numbers stay: what others have told meanwhile is missing before their next. */
  cut(): void {
    this.#heardOwnAt = Number.NEGATIVE_INFINITY;
  }

  forgetGone(now: number): void {
    for (const [node, { at }] of this.#nodes) if (now - at > GONE_AFTER_MS) this.#nodes.delete(node);
  }
}
