import { storedPopulation, toPresentNames } from '@wardline/census/log/stored-names.ts';
import { transportError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { createSource, type Observable } from '@wardline/client/observable.ts';
import type { UnsentWork } from '@wardline/client/outbox/outbox.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { OutboxKind, SharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { UnitDay } from '@wardline/contract/census/unit.ts';
import { reportPath } from '#/features/census/core/census-paths.ts';
import { reportTitle } from '#/features/census/core/report-labels.ts';
import { isPlace, type ReportPayload, type ReportPlace } from './report-unit.ts';

/** The reports that wait on this device, and the last one that arrived. */
export interface ReportOutbox {
  readonly unsent: UnsentWork<ReportPayload>;
  readonly delivered: Observable<UnitDay | null>;
}

/** The kind of reports in the outbox. */
const REPORTS = 'census-report';

/** What is typed of a report and waits for the network: it is saved, not handed in. */
export function waitingSave(items: readonly OutboxItem<ReportPayload>[], place: ReportPlace) {
  return items.findLast(({ payload }) => !payload.entry.submit && isPlace(payload, place)) ?? null;
}

/** A report that was submitted on this device and waits for the network. */
export function waitingReport(items: readonly OutboxItem<ReportPayload>[], place: ReportPlace) {
  return items.findLast(({ payload }) => payload.entry.submit && isPlace(payload, place)) ?? null;
}

/** Takes off the device what waits of a report: it is to be sent anew, or not at all. */
export async function dropWaiting({ unsent }: Pick<ReportOutbox, 'unsent'>, place: ReportPlace): Promise<void> {
  const waiting = unsent.get().filter(({ payload }) => isPlace(payload, place));
  for (const { clientId } of waiting) await unsent.discard(clientId);
}

/** One unit's reports leave in the order in which they were submitted. */
export function laneOf({ unit }: Pick<ReportPlace, 'unit'>): string {
  return `census/${unit}`;
}

const DRAFTS = 'census/draft/';

/** As devices have called it from the first build on. */
const keptPlace = ({ unit, date, population }: ReportPlace) => `${unit}/${date}/${storedPopulation(population)}`;

/** Names of what a device keeps of one report, and how those of all drafts begin. */
export const keptNames = {
  day: (place: ReportPlace) => `census/day/${keptPlace(place)}`,
  draft: (place: ReportPlace) => `${DRAFTS}${keptPlace(place)}`,
  drafts: DRAFTS,
};

const known = new WeakMap<SharedOutbox, ReportOutbox>();

/** Registers how reports leave this device, whichever page is open; their code comes with the first one. */
export function reportOutbox(outbox: SharedOutbox, call: Call): ReportOutbox {
  const before = known.get(outbox);
  if (before) return before;
  const delivered = createSource<UnitDay | null>(null);
  let sender: Pick<OutboxKind<ReportPayload, UnitDay>, 'describeFailure'> | null = null;
  const unsent = outbox.of<ReportPayload, UnitDay>(REPORTS, {
    read: (payload) => toPresentNames(payload) as ReportPayload,
    async send(item, signal) {
      const code = await import('./send-report.ts').catch((error) => {
        throw transportError('network', 'The code that sends reports could not be loaded.', error);
      });
      sender = code;
      return await code.sendReport(call, item, signal);
    },
    deliver(day) {
      delivered.set(day);
      const place = { unit: day.unit_id, date: day.census_date, population: day.population };
      return [
        { type: 'remove-meta', name: keptNames.draft(place) },
        { type: 'put-meta', name: keptNames.day(place), value: day, isCache: true },
      ];
    },
    describeFailure: (error) => sender?.describeFailure(error) ?? 'This report could not be sent.',
    describe({ payload }) {
      return {
        title: reportTitle(payload.base),
        text: payload.entry.submit ? 'Report, submitted' : 'Report, begun',
        href: reportPath(payload),
      };
    },
  });
  const made = { unsent, delivered };
  known.set(outbox, made);
  return made;
}
