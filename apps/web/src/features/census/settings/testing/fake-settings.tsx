import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import {
  type CensusFeed,
  getCensusFeed,
  listRefusedMessages,
  type RefusedMessage,
} from '@wardline/contract/census/feed.ts';
import { type LogEntry, listCensusLog } from '@wardline/contract/census/logs.ts';
import {
  type CensusSettings,
  deleteCensusUnit,
  getCensusSettings,
  updateCensusSettings,
  updateCensusUnit,
} from '@wardline/contract/census/settings.ts';
import type { BodyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import type { CensusPath } from '#/features/census/core/census-pages.ts';
import type { Unsaved } from '#/features/census/settings/core/settings-context.ts';
import type { BedsFrom, SettingsUnit } from '#/features/census/settings/units/unit-labels.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, leila, priya, stBrigid } from '#/testing/fake-chats.ts';
import { SettingsPage } from '../settings-page.tsx';

/** 08:42 UTC of the 20th, which is the census date under way; its count is fixed. */
export const now = Date.parse('2026-11-20T08:42:00Z');

export const facility: Facility = {
  ...stBrigid,
  permissions: ['census.view', 'census.report_summary', 'census.logs'],
};

const unitId = (number: number) => `01970000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`;

export const beds = (from: string, staffed: number, more: Partial<BedsFrom> = {}): BedsFrom => ({
  population: 'adult_and_child',
  from,
  licensed: 30,
  physical: 30,
  staffed,
  surge: 4,
  reason: null,
  ...more,
});

export function unit(number: number, code: string, more: Partial<SettingsUnit> = {}): SettingsUnit {
  return {
    unit_id: unitId(number),
    unit_code: code,
    unit_name: `Unit ${code}`,
    populations: ['adult_and_child'],
    counts_in_census: true,
    counts_in_occupancy: true,
    hsloc: null,
    safr_group: 'adult_med_surg',
    active_from: null,
    active_to: null,
    people: [ana],
    beds: [beds('1900-01-01', 28)],
    ...more,
  };
}

export const med = unit(1, 'MED 3A', { people: [ana, leila].map(({ id, name }) => ({ id, name })) });

export const settings: CensusSettings = {
  facility_id: facility.id,
  version: 7,
  time_zone: 'Asia/Manila',
  census_time: '00:00',
  grace_minutes: 60,
  clock_from: '1900-01-01',
  clock_fixed: { census_date: '2026-11-20', census_at: '2026-11-20T16:00:00.000Z' },
  sign_off_time: '11:00',
  lock_after_days: 14,
  four_eyes: true,
  denominator: 'staffed',
  bands: { target: 85, high: 92, full: 100 },
  split_permissions: [],
  boarding_hours: 4,
  asks_discharge_days: false,
  log_retention_years: null,
  log_head_emails: [],
  hour_cycle: 'h23',
  date_order: 'dmy',
  units: [med, unit(2, 'SUR 2B')],
  may: { configure: true },
};

interface Setting {
  readonly shown?: Partial<CensusSettings>;
  readonly permissions?: Facility['permissions'];
  readonly current?: string;
  readonly page?: CensusPath;
}

/** The page over a server that keeps what it is sent and refuses what was made for another version. */
export function openSettings({
  shown = {},
  permissions = facility.permissions,
  current = '',
  page = '/census',
}: Setting = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = {
    settings: { ...settings, ...shown },
    sent: [] as BodyOf<typeof updateCensusSettings>[],
    sentUnits: [] as BodyOf<typeof updateCensusUnit>[],
    log: [] as LogEntry[],
    feed: {
      live_from: null,
      next_date: '2026-11-21',
      heard_at: '2026-11-20T08:40:00.000Z',
      units: [],
      refused: 0,
    } as CensusFeed,
    refused: [] as readonly RefusedMessage[],
  };
  const take = (change: Partial<CensusSettings>, version: number) => {
    if (version !== state.settings.version) throw new FakeRefusal('conflict');
    state.settings = { ...state.settings, ...change, version: version + 1 };
    return state.settings;
  };
  app.api.on(getCensusSettings, () => state.settings);
  app.api.on(getCensusFeed, () => ({ ...state.feed, refused: state.refused.length }));
  app.api.on(listRefusedMessages, () => ({ data: [...state.refused], next_cursor: null }));
  app.api.on(updateCensusSettings, ({ body }) => {
    state.sent.push(body);
    const { version, ...change } = body;
    return take(change as Partial<CensusSettings>, version);
  });
  app.api.on(updateCensusUnit, ({ params, body }) => {
    state.sentUnits.push(body);
    const { version, people, beds: added, ...change } = body;
    const known = [ana, leila, priya];
    const units = state.settings.units.map((one) =>
      one.unit_id !== params.unit
        ? one
        : {
            ...one,
            ...(change as Partial<SettingsUnit>),
            ...(people && {
              people: known.filter(({ id }) => people.includes(id)).map(({ id, name }) => ({ id, name })),
            }),
            ...(added && { beds: [...one.beds, { ...added, reason: added.reason ?? null }] }),
          },
    );
    return take({ units }, version);
  });
  app.api.on(deleteCensusUnit, ({ params, body }) =>
    take({ units: state.settings.units.filter(({ unit_id }) => unit_id !== params.unit) }, body.version),
  );
  app.api.on(listCensusLog, () => ({ data: state.log, next_cursor: null }));
  app.api.on(listMembers, ({ query }) => ({
    data: [ana, leila, priya]
      .filter(({ name }) => name.toLowerCase().includes((query.q ?? '').toLowerCase()))
      .map(({ id, name, title }) => ({ user_id: id, name, title, roles: [] })),
    next_cursor: null,
  }));
  const unsaved: Unsaved = new Set();
  app.draw(<SettingsPage facility={{ ...facility, permissions }} page={page} current={current} unsaved={unsaved} />);
  return { ...app, state, unsaved };
}
