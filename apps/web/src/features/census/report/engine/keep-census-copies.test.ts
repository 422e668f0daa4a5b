import 'fake-indexeddb/auto';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepCensusCopies, trimCensusCopies } from './keep-census-copies.ts';

const membership = (facility_id: string, ...permissions: string[]) => ({
  facility_id,
  facility_name: facility_id,
  title: null,
  roles: [],
  permissions,
});
const openStore = () =>
  openDeviceStore({
    userId: 'u1',
    log: createSilentLog(),
    isOwnDevice: true,
    fetchKey: async () => btoa(String.fromCharCode(...new Uint8Array(32).fill(7))),
  });
type Store = Awaited<ReturnType<typeof openStore>>;

const put = (store: Store, name: string, value: unknown) =>
  store.write([{ type: 'put-meta', name, value, isCache: true }]);
const names = async (store: Store) => [...(await store.metaWithPrefix('census/')).keys()].toSorted();
const day = (facility_id: string, census_date = '2026-11-19') => ({ facility_id, census_date });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe('what a device keeps of the census', () => {
  it('CEN-5 goes with the permission and with the membership, and nothing else goes', async () => {
    const store = await openStore();
    for (const facility of ['seen', 'reported', 'left']) {
      await put(store, `census/board/${facility}`, { seen_at: 1 });
      await put(store, `census/owed/${facility}`, []);
      await put(store, `census/day/unit-${facility}/2026-11-19/adult_and_child`, day(facility));
    }
    await put(store, 'census/draft/unit-left/2026-11-19/adult_and_child', {});
    const memberships = [membership('seen', 'census.view'), membership('reported', 'census.report_units')];
    await trimCensusCopies(store, { memberships });
    expect(await names(store)).toEqual([
      'census/board/seen',
      'census/day/unit-reported/2026-11-19/adult_and_child',
      'census/day/unit-seen/2026-11-19/adult_and_child',
      'census/draft/unit-left/2026-11-19/adult_and_child',
      'census/owed/reported',
    ]);
  });

  it('CEN-5 is capped: the boards seen longest ago go first', async () => {
    const store = await openStore();
    const facilities = Array.from({ length: 14 }, (_, index) => `f${String(index).padStart(2, '0')}`);
    for (const [seen_at, facility] of facilities.entries()) await put(store, `census/board/${facility}`, { seen_at });
    await trimCensusCopies(store, { memberships: facilities.map((facility) => membership(facility, 'census.view')) });
    expect(await names(store)).toEqual(facilities.slice(2).map((facility) => `census/board/${facility}`));
  });

  it('CEN-5 is looked through when the server says anew what its person may do, not while only this device says so', async () => {
    const store = await openStore();
    await put(store, 'census/board/f1', { seen_at: 1 });
    let tell: () => void = () => undefined;
    let confirmed = false;
    const user = { id: 'u1', memberships: [] };
    const session = {
      get: () => ({ status: 'signed-in', user, confirmed }) as never,
      subscribe: (listener: () => void) => {
        tell = listener;
        return () => undefined;
      },
      store: () => store,
    };
    keepCensusCopies(session, store);
    await store.write([]);
    expect(await names(store)).toEqual(['census/board/f1']);
    confirmed = true;
    tell();
    await expect.poll(() => names(store)).toEqual([]);
  });
});
