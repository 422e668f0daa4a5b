import type { HttpPerson } from '../http-person.ts';
import type { ReportPlace } from './census-reports.ts';

/** What the journeys look at in an entry of the census log. */
export interface CensusLogEntry {
  readonly actor_name: string;
  readonly action: string;
  readonly outcome: 'done' | 'refused';
  readonly unit_code: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The entries about a report, oldest first. */
export async function logOf(reader: HttpPerson, { facility, unit, date }: ReportPlace): Promise<CensusLogEntry[]> {
  const query = new URLSearchParams({ unit, from: date, to: date, limit: '100' });
  const { data } = await reader.get<{ data: CensusLogEntry[] }>(`/api/census/facilities/${facility}/logs?${query}`);
  return data.toReversed();
}
