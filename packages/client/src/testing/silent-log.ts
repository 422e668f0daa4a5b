import type { Log, LogLevel } from '#/log.ts';

/** A log that keeps what it was told. */
export function createSilentLog(): Log & { readonly lines: { level: LogLevel; line: string; detail: unknown }[] } {
  const lines: { level: LogLevel; line: string; detail: unknown }[] = [];
  const at = (level: LogLevel) => (line: string, detail?: unknown) => void lines.push({ level, line, detail });
  return { lines, error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
