import type { CensusAlert } from '@wardline/contract/census-board.ts';
import { clockWords } from '#/page/clock-words.ts';

/** What became of an alert: `Acknowledged by Ruth Calloway, 14:02`; null while it waits for somebody. */
export function outcomeWords(alert: CensusAlert, now: number, zone: string): string | null {
  const { acknowledged_at, acknowledged_by, cleared_at } = alert;
  if (acknowledged_at !== null)
    return `Acknowledged by ${acknowledged_by?.name ?? 'someone'}, ${clockWords(zone, Date.parse(acknowledged_at), now)}`;
  return cleared_at ? `Cleared, ${clockWords(zone, Date.parse(cleared_at), now)}` : null;
}
