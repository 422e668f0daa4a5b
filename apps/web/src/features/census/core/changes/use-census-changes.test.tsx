// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, render } from '@testing-library/react';
import { createRealtime } from '@wardline/client/realtime/realtime.ts';
import { setupCall } from '@wardline/client/testing/call-setup.ts';
import { createFakeRealtime } from '@wardline/client/testing/fake-line.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import type { CensusChanged } from '@wardline/contract/census/census.ts';
import { expect, it } from 'vitest';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { useCensusChanges } from './use-census-changes.ts';

const brigid = '018f0000-0000-7000-8000-000000000001';
const harbour = '018f0000-0000-7000-8000-000000000002';
const change = (facility_id: string): CensusChanged => ({ facility_id, census_date: '2026-11-19', unit_id: null });

function setUp() {
  const hub = createFakeRealtime();
  const { call } = setupCall(() => Response.json({}));
  const realtime = createRealtime({
    config: testConfig(),
    call,
    log: createSilentLog(),
    page: new URL('http://wardline.test'),
    loadLine: async () => hub.openLine,
  });
  const heard: (CensusChanged | null)[] = [];
  function Listener({ facilityId }: { facilityId: string }) {
    useCensusChanges(facilityId, (changes) => heard.push(changes));
    return null;
  }
  const page = (facilityId: string) => (
    <RealtimeContext value={realtime}>
      <Listener facilityId={facilityId} />
    </RealtimeContext>
  );
  const tell = async (facilityId: string) => {
    hub.publish(`private-census.${facilityId}`, 'App\\Events\\CensusChanged', change(facilityId));
    await settle();
  };
  return { hub, heard, page, tell };
}

const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

it('CEN-7 a page hears what changes in its facility, and no more once it has gone', async () => {
  const { heard, page, tell } = setUp();
  const { rerender, unmount } = render(page(brigid));
  await settle();
  await tell(brigid);
  await tell(harbour);
  expect(heard).toEqual([null, change(brigid)]);
  rerender(page(harbour));
  await settle();
  await tell(brigid);
  await tell(harbour);
  expect(heard).toEqual([null, change(brigid), null, change(harbour)]);
  unmount();
  await tell(harbour);
  expect(heard).toHaveLength(4);
});

it('CEN-7 after a lost connection a page is told that anything may have changed', async () => {
  const { hub, heard, page } = setUp();
  render(page(brigid));
  await settle();
  hub.drop();
  await settle();
  hub.restore();
  await settle();
  expect(heard).toEqual([null, null]);
});

it('CEN-7 a part that is shown without a live connection hears nothing and does not fail', () => {
  function Listener() {
    useCensusChanges(brigid, () => expect.fail('nothing was said'));
    return null;
  }
  expect(() => render(<Listener />)).not.toThrow();
});
