import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import { putUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import type { ReportPayload } from './report-unit.ts';

/** Hands a report to the server; a repeat is answered with the stored one. */
export function sendReport(call: Call, item: OutboxItem<ReportPayload>, signal: AbortSignal): Promise<UnitDay> {
  const { unit, date, population: of, entry } = item.payload;
  return call(putUnitDay, {
    params: { unit, date, population: of },
    body: { ...entry, client_id: item.clientId, device_time: item.writtenAt },
    // Where another person signed in meanwhile in this browser, a server that compares refuses (A34).
    headers: { 'X-Wardline-User': item.userId },
    signal,
  });
}

/** Why a report was refused, in words for its author. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This report could not be sent.';
  if (error.status === 403) return 'You can’t report for this unit any more.';
  if (error.status === 404) return 'You no longer report for this unit.';
  const [finding] = error.findings;
  if (finding?.code === 'LOCKED') return 'The day was locked before this report arrived.';
  if (error.status === 409) return 'Someone changed this report before yours arrived.';
  if (finding) return error.findings.map(({ message }) => message).join(' ');
  const sentences = Object.values(error.fieldErrors).flat();
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}
