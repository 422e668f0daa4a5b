import { isCalendarDate } from '@wardline/census/calendar.ts';
import { CENSUS_ACTIONS, type CensusAction } from '@wardline/contract/census/logs.ts';

/** What the log is narrowed to; the address of the page carries it. */
export interface LogView {
  /** Census dates. */
  readonly from: string | null;
  readonly to: string | null;
  readonly unit: string | null;
  readonly actor: string | null;
  readonly action: CensusAction | null;
  readonly isAfterApproval: boolean;
  readonly isWithReason: boolean;
  readonly q: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the address; what makes no sense in it is left out. */
export function readLogView(search: URLSearchParams): LogView {
  const date = (name: string) => search.get(name)?.match(/^.*$/)?.find(isCalendarDate) ?? null;
  const id = (name: string) => search.get(name)?.match(ID)?.[0] ?? null;
  return {
    from: date('from'),
    to: date('to'),
    unit: id('unit'),
    actor: id('actor'),
    action: CENSUS_ACTIONS.find((action) => action === search.get('action')) ?? null,
    isAfterApproval: search.get('after_approval') === 'true',
    isWithReason: search.get('with_reason') === 'true',
    q: (search.get('q') ?? '').slice(0, 80),
  };
}

/** The query of the endpoint, and of the address. */
export function logQuery(view: LogView) {
  return {
    ...(view.from === null ? {} : { from: view.from }),
    ...(view.to === null ? {} : { to: view.to }),
    ...(view.unit === null ? {} : { unit: view.unit }),
    ...(view.actor === null ? {} : { actor: view.actor }),
    ...(view.action === null ? {} : { action: view.action }),
    ...(view.isAfterApproval ? { after_approval: 'true' as const } : {}),
    ...(view.isWithReason ? { with_reason: 'true' as const } : {}),
    ...(view.q.trim() === '' ? {} : { q: view.q.trim() }),
  };
}

export function logHref(view: LogView): string {
  const search = new URLSearchParams(logQuery(view)).toString();
  return search === '' ? '/census-logs' : `/census-logs?${search}`;
}

export function isNarrowed(view: LogView): boolean {
  return Object.keys(logQuery(view)).length > 0;
}
