import type { LogEntry } from '@wardline/contract/census/logs.ts';
import { formatRange as formatDays } from '@wardline/format/periods.ts';
import { dayIn, formatDay, secondsIn } from '#/shared/time/zoned-time.ts';

const SOURCES: Readonly<Record<LogEntry['source'], string>> = {
  web: 'Web',
  api: 'Another program',
  import: 'Imported file',
  feed: 'Patient system',
  job: 'The server’s clock',
};

/** `Thu 19 Nov, 16:20:07 (device 16:20:05)`: the server's time and the device's, both by the facility's clock. */
export function formatWhen(
  { at, device_time }: Pick<LogEntry, 'at' | 'device_time'>,
  zone: string,
  today: string,
): string {
  const server = Date.parse(at);
  const said = `${formatDay(dayIn(zone, server), today)}, ${secondsIn(zone, server)}`;
  if (device_time === null) return said;
  const device = Date.parse(device_time);
  const day = dayIn(zone, device) === dayIn(zone, server) ? '' : `${formatDay(dayIn(zone, device), today)}, `;
  return `${said} (device ${day}${secondsIn(zone, device)})`;
}

/** `Web, version 4 to 5, from 10.0.3.7, app 0.1.0`. */
export function formatHow(entry: Pick<LogEntry, 'source' | 'before' | 'after' | 'ip' | 'app_version'>): string {
  const [was, is] = [entry.before, entry.after].map((said) => new Map(Object.entries(said ?? {})).get('version'));
  const versions = typeof was === 'number' && typeof is === 'number' && was !== is ? [`version ${was} to ${is}`] : [];
  const from = entry.ip === null ? [] : [`from ${entry.ip}`];
  const app = entry.app_version === null ? [] : [`app ${entry.app_version}`];
  return [SOURCES[entry.source], ...versions, ...from, ...app].join(', ');
}

/** The first words of a hash: `c41e 09d2 7b3a …`. */
export function shortHash(hash: string, text = 3): string {
  return `${hash.slice(0, text * 4).replaceAll(/(.{4})(?=.)/g, '$1 ')} …`;
}

/** A day's range as a chip says it: `Tue 17 Nov to Fri 20 Nov`, `From 17 Nov`; null without any. */
export function formatRange(from: string | null, to: string | null, today: string): string | null {
  if (from !== null && to !== null) return formatDays(from, to, (date) => formatDay(date, today));
  if (from !== null) return `From ${formatDay(from, today)}`;
  return to === null ? null : `Up to ${formatDay(to, today)}`;
}
