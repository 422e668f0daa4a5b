import type { Session } from '@wardline/client/session/session.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import * as z from 'zod/mini';

type Rights = Pick<User, 'memberships'>;

/** More copies of a sort are more than anybody comes back to; the oldest go first. */
const MOST = { boards: 12, days: 200 } as const;

const Board = z.object({ seen_at: z.number() });
const Day = z.object({ facility_id: z.string(), census_date: z.string() });

/** Keeps of what was read of the census only what its person may still see, and no more than a device needs. */
export async function trimCensusCopies(store: DeviceStore, user: Rights): Promise<void> {
  const may = (facilityId: string, permission: string): boolean =>
    user.memberships.some(
      ({ facility_id, permissions }) => facility_id === facilityId && permissions.some((one) => one === permission),
    );
  const read = async (sort: string) => [...(await store.metaWithPrefix(`census/${sort}/`))];
  const last = (name: string) => name.slice(name.lastIndexOf('/') + 1);

  const boards = (await read('board')).map(([name, value]) => {
    const kept = z.safeParse(Board, value);
    return { name, at: kept.success && may(last(name), 'census.view') ? kept.data.seen_at : null };
  });
  const lists = (await Promise.all(['owed', 'units', 'grid'].map(read))).flat().map(([name]) => name);
  const days = (await read('day')).map(([name, value]) => {
    const kept = z.safeParse(Day, value);
    const isTheirs =
      kept.success && ['census.view', 'census.report_units'].some((one) => may(kept.data.facility_id, one));
    return { name, at: isTheirs ? Date.parse(kept.data.census_date) : null };
  });
  const names = [
    ...tooMany(boards, MOST.boards),
    ...lists.filter((name) => !may(last(name), 'census.report_units')),
    ...tooMany(days, MOST.days),
  ];
  await store.write(names.map((name) => ({ type: 'remove-meta', name })));
}

interface Kept {
  readonly name: string;
  /** How new it is; null where it is not to be kept at all. */
  readonly at: number | null;
}

function tooMany(all: readonly Kept[], most: number): string[] {
  const newest = all.filter(({ at }) => at !== null).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const stays = new Set(newest.slice(0, most));
  return all.filter((one) => !stays.has(one)).map(({ name }) => name);
}

/** Does so now and whenever the server says anew what the person may do. Answers the end of it. */
export function keepCensusCopies(
  session: Pick<Session, 'get' | 'subscribe' | 'store'>,
  store: DeviceStore,
): () => void {
  const trim = (): void => {
    const state = session.get();
    if (state.status !== 'signed-in' || !state.confirmed || session.store() !== store) return;
    trimCensusCopies(store, state.user).catch(() => undefined);
  };
  trim();
  return session.subscribe(trim);
}
