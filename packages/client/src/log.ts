export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line with an optional detail. Lines never carry message text or a patient's data. */
export type Log = { readonly [Level in LogLevel]: (line: string, detail?: unknown) => void };

/** How long the same line counts as a repeat, in milliseconds (LOG-1). */
export const REPEAT_WINDOW_MS = 1000;

interface LogOptions {
  /** The least important level that is still written; 'info' unless told. */
  readonly level?: LogLevel;
  readonly write?: (level: LogLevel, line: string, detail: unknown) => void;
}

/** Makes a logger. The same line within 1000 ms is written once, and its repeats as one line with their count. */
export function createLog({ level = 'info', write = writeToConsole }: LogOptions = {}): Log {
  const least = LOG_LEVELS.indexOf(level);
  let last: { level: LogLevel; line: string; repeats: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const closeWindow = (): void => {
    clearTimeout(timer);
    if (last !== null && last.repeats > 0) write(last.level, `${last.line} (repeated ${last.repeats}×)`, undefined);
    last = null;
  };
  const at =
    (of: LogLevel) =>
    (line: string, detail?: unknown): void => {
      if (LOG_LEVELS.indexOf(of) > least) return;
      if (last?.level === of && last.line === line) {
        last.repeats += 1;
      } else {
        closeWindow();
        last = { level: of, line, repeats: 0 };
        write(of, line, detail);
      }
      clearTimeout(timer);
      timer = setTimeout(closeWindow, REPEAT_WINDOW_MS);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

function writeToConsole(level: LogLevel, line: string, detail: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console
  if (detail === undefined) console[level](line);
  // biome-ignore lint/suspicious/noConsole: as above
  else console[level](line, detail);
}
