import type { Schedule } from '#/schedule.ts';

interface CountdownDeps {
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly onEnd: (id: string) => void;
}

interface Countdown {
  /** Gives `id` its time, from the beginning; none where the time is 0, less or endless. */
  begin(id: string, durationMs: number): void;
  end(id: string): void;
  pause(): void;
  resume(): void;
  /** What is left in milliseconds; null where nothing has begun to run. */
  remaining(id: string): number | null;
}

interface Entry {
  leftMs: number;
  hasBegun: boolean;
  run: { readonly since: number; readonly cancel: () => void } | null;
}

/** Times that run down side by side and stand still together. */
export function createCountdown({ now, schedule, onEnd }: CountdownDeps): Countdown {
  const entries = new Map<string, Entry>();
  let isPaused = false;

  const run = (id: string, entry: Entry): void => {
    entry.hasBegun = true;
    entry.run = { since: now(), cancel: schedule(() => onEnd(id), entry.leftMs) };
  };
  const left = ({ leftMs, run: running }: Entry): number =>
    running === null ? leftMs : Math.max(0, leftMs - (now() - running.since));
  const end = (id: string): void => {
    entries.get(id)?.run?.cancel();
    entries.delete(id);
  };

  return {
    begin(id, durationMs) {
      end(id);
      if (!(durationMs > 0) || durationMs === Number.POSITIVE_INFINITY) return;
      const entry: Entry = { leftMs: durationMs, hasBegun: false, run: null };
      entries.set(id, entry);
      if (!isPaused) run(id, entry);
    },
    end,
    pause() {
      isPaused = true;
      for (const entry of entries.values()) {
        entry.leftMs = left(entry);
        entry.run?.cancel();
        entry.run = null;
      }
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      for (const [id, entry] of entries) run(id, entry);
    },
    remaining(id) {
      const entry = entries.get(id);
      return entry?.hasBegun ? left(entry) : null;
    },
  };
}
