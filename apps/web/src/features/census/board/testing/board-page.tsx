import { screen, within } from '@testing-library/react';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { getCensusBoard, getCensusForecast, getCensusHeatmap } from '@wardline/contract/census/board.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser } from '#/testing/fake-chats.ts';
import { BoardScreen } from '../board-screen.tsx';
import type { Board, Forecast } from '../use-board.ts';
import { board, facility, forecast, heatmap } from './sample-board.ts';

type Heard = { readonly CensusChanged: (change: unknown) => void };

interface Handlers {
  readonly events: Heard;
  readonly onSubscribed: () => void;
}

interface Setting {
  /** False: the answer to the subscription is long in coming. */
  readonly isSubscribed?: boolean;
  readonly store?: DeviceStore;
  readonly shown?: Partial<Board>;
  readonly seen?: Forecast;
  readonly permissions?: Facility['permissions'];
  /** How many units the facility has, if not those of the board. */
  readonly unitCount?: number;
}

/** The board over a server of this page alone; `state` is what it answers, and what it was asked. */
export function setUpBoard({
  store = createMemoryStore(ana.id),
  shown = {},
  seen = forecast,
  permissions = facility.permissions,
  isSubscribed = true,
  unitCount,
}: Setting = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const state = { board: { ...board, ...shown } as Board, asked: [] as string[] };
  const heard: Heard[] = [];
  const subscribe: (() => void)[] = [];
  const loads = { board: 0, heatmap: 0, forecast: 0 };
  app.api.on(getCensusBoard, () => {
    loads.board++;
    return state.board;
  });
  app.api.on(getCensusForecast, () => {
    loads.forecast++;
    return seen;
  });
  app.api.on(getCensusHeatmap, ({ query: { from, to } }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    loads.heatmap++;
    state.asked.push(`${days} days to ${to}`);
    return heatmap(days, from);
  });
  const realtime = {
    join: (_channel: unknown, _id: string, { events, onSubscribed }: Handlers) => {
      heard.push(events);
      subscribe.push(onSubscribed);
      if (isSubscribed) queueMicrotask(onSubscribed);
      return { leave: () => undefined };
    },
  };
  const draw = () =>
    app.draw(
      <DeviceContext value={{ store, outbox: null as never }}>
        <RealtimeContext value={realtime as never}>
          <BoardScreen facility={{ ...facility, permissions, unit_count: unitCount ?? state.board.units.length }} />
        </RealtimeContext>
      </DeviceContext>,
    );
  return { ...app, state, heard, subscribe, loads, draw };
}

/** The cards of the units, in their order. */
export const cards = async () => {
  const section = await screen.findByRole('region', { name: 'Units by pressure' });
  return within(section).getAllByRole('listitem');
};
/** The card of one unit. */
export const card = async (name: string) => {
  const found = (await cards()).find((one) => within(one).getByRole('heading').textContent === name);
  if (!found) throw new Error(`There is no card of ${name}.`);
  return within(found);
};
