// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Membership } from '@wardline/contract/account/auth.ts';
import { type Facility, listFacilities } from '@wardline/contract/facilities/facilities.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useReloadFacilities } from '#/shared/contexts/reload-facilities.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { harbour, stBrigid } from '#/testing/fake-chats.ts';
import { FacilitiesProvider, useFacilities } from './facilities-context.tsx';

const membership = {
  facility_id: stBrigid.id,
  facility_name: 'As my session says',
  permissions: [],
} as unknown as Membership;

function Names() {
  const reload = useReloadFacilities();
  return (
    <button type="button" onClick={() => void reload()}>
      {useFacilities()
        .map(({ name }) => name)
        .join() || 'none'}
    </button>
  );
}

const shown = () => screen.getByRole('button').textContent;
const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));

async function open(found: () => readonly Facility[]) {
  const app = createFakeApp();
  app.api.on(listFacilities, () => ({ data: [...found()], next_cursor: null }) as never);
  const page = (memberships: readonly Membership[]) => (
    <FacilitiesProvider memberships={memberships}>
      <Names />
    </FacilitiesProvider>
  );
  const view = app.draw(page([membership]));
  await settle();
  return { ...app, belongTo: (...memberships: Membership[]) => view.rerender(page(memberships)) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  setOnline(true);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the list of my facilities', () => {
  it('comes from the server; until then the memberships of the session stand in', async () => {
    const { api, belongTo } = await open(() => [stBrigid]);
    expect(shown()).toBe(stBrigid.name);
    api.around = () => new Promise(() => undefined);
    belongTo(membership, { ...membership, facility_id: harbour.id });
    await settle();
    // What was known stays while the new list is under way.
    expect(shown()).toBe(stBrigid.name);
    expect(api.asked).toHaveLength(2);
  });

  it('ADM-2 one that was closed is gone at once, also where the server does not answer', async () => {
    const { api, belongTo } = await open(() => [stBrigid, harbour]);
    expect(shown()).toBe(`${stBrigid.name},${harbour.name}`);
    api.around = () => Promise.reject(new Error('no answer'));
    belongTo({ ...membership, facility_id: harbour.id });
    await settle();
    expect(shown()).toBe(harbour.name);
    belongTo();
    await settle();
    expect(shown()).toBe('none');
  });

  it('without a network it is asked for once there is one, and not before', async () => {
    setOnline(false);
    const { api } = await open(() => [stBrigid]);
    expect(shown()).toBe(membership.facility_name);
    expect(api.asked).toEqual([]);
    setOnline(true);
    await settle();
    expect(shown()).toBe(stBrigid.name);
  });

  it('is asked anew by who comes back to the page after five minutes, not sooner', async () => {
    const { api } = await open(() => [stBrigid]);
    const comeBack = async () => {
      setFocus(false);
      setFocus(true);
      await settle();
    };
    await comeBack();
    expect(api.asked).toHaveLength(1);
    await settle(5 * 60_000);
    await comeBack();
    expect(api.asked).toHaveLength(2);
  });

  it('keeps what it shows when the server fails, and asks at the next occasion', async () => {
    const { api, answer, refuse } = await open(() => [stBrigid]);
    refuse(503);
    await settle(5 * 60_000);
    setFocus(false);
    setFocus(true);
    await settle();
    expect(shown()).toBe(stBrigid.name);
    answer();
    setFocus(false);
    setFocus(true);
    await settle();
    expect(api.asked).toHaveLength(3);
  });

  it('lets in who waits to be admitted, half a minute later', async () => {
    let mine: readonly Facility[] = [];
    await open(() => mine);
    expect(shown()).toBe('none');
    mine = [stBrigid];
    await settle(30_000);
    expect(shown()).toBe(stBrigid.name);
  });

  it('shows at once what somebody has just changed in one', async () => {
    let mine = [stBrigid];
    await open(() => mine);
    mine = [{ ...stBrigid, name: 'St. Brigid, renamed' }];
    fireEvent.click(screen.getByRole('button'));
    await settle();
    expect(shown()).toBe('St. Brigid, renamed');
  });
});

/** Makes the page believe that somebody looks at it, or nobody. */
function setFocus(isFocused: boolean): void {
  vi.spyOn(document, 'hasFocus').mockReturnValue(isFocused);
  window.dispatchEvent(new Event(isFocused ? 'focus' : 'blur'));
}
