import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeHistory } from '#/testing/fake-history.ts';
import { createOverlayHistory } from './overlay-history.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A page at /b, come to from /a, and what its router hears. */
function setUp() {
  const page = createFakeHistory('/a', { key: 'a' });
  const overlays = createOverlayHistory(page);
  const heard: string[] = [];
  page.addEventListener(
    'popstate',
    () => heard.push(`${page.location.pathname} ${JSON.stringify(page.history.state)}`),
    {
      capture: true,
    },
  );
  page.history.pushState({ key: 'b' }, '', '/b');
  let open = 0;
  const set = (depth: number) => {
    open = depth;
    overlays.setDepth(depth);
  };
  overlays.onBack((depth) => set(Math.min(open, depth)));
  const settle = () => vi.advanceTimersByTimeAsync(20);
  const to = async (depth: number) => {
    set(depth);
    await settle();
  };
  const go = async (delta: number) => {
    page.history.go(delta);
    await settle();
  };
  return { page, heard, set, to, go, settle, open: () => open, trail: page.trail };
}

describe('Back', () => {
  it('OVERLAY-1 closes exactly the top overlay, and the router hears nothing', async () => {
    const { to, go, open, heard, trail } = setUp();
    await to(1);
    await to(2);
    expect(trail()).toBe('/a /b /b [/b]');
    await go(-1);
    expect(open()).toBe(1);
    await go(-1);
    expect(open()).toBe(0);
    expect(heard).toEqual([]);
    await go(-1);
    expect(heard).toEqual(['/a {"key":"a"}']);
    expect(trail()).toBe('[/a] /b /b /b');
  });

  it('OVERLAY-1 over several overlays at once closes all it went over', async () => {
    const { to, go, open, heard } = setUp();
    await to(3);
    await go(-2);
    expect(open()).toBe(1);
    await go(-2);
    expect(open()).toBe(0);
    expect(heard).toEqual(['/a {"key":"a"}']);
  });

  it('OVERLAY-1 the page’s own entry and that of the overlay hold the router’s state', async () => {
    const { to, go, page } = setUp();
    await to(1);
    expect(page.history.state).toMatchObject({ key: 'b' });
    await go(-1);
    expect(page.history.state).toEqual({ key: 'b' });
  });
});

describe('closing by other means', () => {
  it('OVERLAY-1 takes the entry away, and the router hears nothing', async () => {
    const { to, heard, trail, page } = setUp();
    await to(2);
    await to(0);
    expect(trail()).toBe('/a [/b] /b /b');
    expect(page.history.state).toEqual({ key: 'b' });
    expect(heard).toEqual([]);
  });

  it('OVERLAY-1 and opening another in one turn changes nothing', async () => {
    const { to, set, settle, trail } = setUp();
    await to(1);
    set(0);
    set(1);
    await settle();
    expect(trail()).toBe('/a /b [/b]');
  });

  it('OVERLAY-1 another that is opened while the step is under way gets its entry', async () => {
    const { to, set, settle, trail, open } = setUp();
    await to(1);
    set(0);
    await Promise.resolve();
    set(1);
    await settle();
    expect(trail()).toBe('/a /b [/b]');
    expect(open()).toBe(1);
  });

  it('OVERLAY-1 Forward to the entry of a closed overlay leads back to the page, and the router hears nothing', async () => {
    const { to, go, heard, trail, open } = setUp();
    await to(1);
    await to(0);
    await go(1);
    expect(trail()).toBe('/a [/b] /b');
    expect(open()).toBe(0);
    expect(heard).toEqual([]);
  });
});

describe('navigation', () => {
  it('OVERLAY-1 after a close is not undone by the step back, and leaves no entry behind', async () => {
    const { to, set, settle, page, trail, heard } = setUp();
    await to(1);
    set(0);
    page.history.pushState({ key: 'c' }, '', '/c');
    await settle();
    expect(trail()).toBe('/a /b [/c]');
    expect(page.history.state).toEqual({ key: 'c' });
    expect(heard).toEqual([]);
  });

  it('OVERLAY-1 while the step back is under way waits for it', async () => {
    const { to, set, settle, page, trail } = setUp();
    await to(1);
    set(0);
    await Promise.resolve();
    page.history.pushState({ key: 'c' }, '', '/c');
    page.history.replaceState({ key: 'd' }, '', '/d');
    await settle();
    expect(trail()).toBe('/a /b [/d]');
  });

  it('OVERLAY-1 with overlays open closes them all', async () => {
    const { to, settle, page, trail, open, go, heard } = setUp();
    await to(2);
    page.history.pushState({ key: 'c' }, '', '/c');
    expect(open()).toBe(0);
    await settle();
    expect(trail()).toBe('/a /b [/c]');
    await go(-1);
    expect(heard).toEqual(['/b {"key":"b"}']);
  });

  it('OVERLAY-1 an overlay on the new page, opened before the step is done, lies over the new page', async () => {
    const { to, set, settle, page, trail, go, open } = setUp();
    await to(1);
    page.history.pushState({ key: 'c' }, '', '/c');
    set(1);
    await settle();
    expect(trail()).toBe('/a /b /c [/c]');
    await go(-1);
    expect(open()).toBe(0);
    expect(trail()).toBe('/a /b [/c] /c');
  });

  it('OVERLAY-1 that only changes the query in place leaves the overlay open, and Back leads to the changed page', async () => {
    const { to, page, go, trail, open, heard } = setUp();
    await to(2);
    page.history.replaceState({ key: 'b2' }, '', '/b?q=1');
    expect(open()).toBe(2);
    await go(-1);
    expect(trail()).toBe('/a /b [/b?q=1] /b?q=1');
    await go(-1);
    expect(trail()).toBe('/a [/b?q=1] /b?q=1 /b?q=1');
    expect(page.history.state).toEqual({ key: 'b2' });
    expect(heard).toEqual([]);
  });

  it('OVERLAY-1 to another path in place of this one closes them', async () => {
    const { to, settle, page, trail, open } = setUp();
    await to(1);
    page.history.replaceState({ key: 's' }, '', '/sign-in');
    expect(open()).toBe(0);
    await settle();
    expect(trail()).toBe('/a [/sign-in] /b');
    expect(page.history.state).toEqual({ key: 's' });
  });

  it('OVERLAY-1 a state that a router hands on from page to page hands on no mark', async () => {
    const { to, page, settle, go, heard } = setUp();
    await to(1);
    page.history.pushState(page.history.state, '', '/c');
    await settle();
    expect(page.history.state).toEqual({ key: 'b' });
    await go(-1);
    expect(heard).toEqual(['/b {"key":"b"}']);
  });

  it('OVERLAY-1 goes on after a second though the browser never takes the step', async () => {
    const { to, page, trail } = setUp();
    await to(1);
    page.history.go = () => undefined;
    page.history.pushState({ key: 'c' }, '', '/c');
    await vi.advanceTimersByTimeAsync(999);
    expect(trail()).toBe('/a /b [/b]');
    await vi.advanceTimersByTimeAsync(1);
    expect(trail()).toBe('/a /b /b [/c]');
  });
});

describe('jumps', () => {
  it('OVERLAY-1 out of the page close all overlays, and the router hears where to', async () => {
    const { to, go, open, heard } = setUp();
    await to(2);
    await go(-3);
    expect(open()).toBe(0);
    expect(heard).toEqual(['/a {"key":"a"}']);
  });

  it('OVERLAY-1 from afar to the entry of a closed overlay arrive at its page, and the router hears only that', async () => {
    const { to, go, heard, trail } = setUp();
    await to(2);
    await go(-3);
    heard.length = 0;
    await go(3);
    expect(trail()).toBe('/a [/b] /b /b');
    expect(heard).toEqual(['/b {"key":"b"}']);
  });

  it('OVERLAY-1 back to a page and Forward to its closed overlay leave the page as it is', async () => {
    const { to, go, heard, trail } = setUp();
    await to(1);
    await to(0);
    await go(-1);
    await go(1);
    expect(heard).toEqual(['/a {"key":"a"}', '/b {"key":"b"}']);
    for (let again = 0; again < 2; again += 1) {
      await go(1);
      expect(heard).toHaveLength(2);
      expect(trail()).toBe('/a [/b] /b');
    }
  });
});

it('OVERLAY-1 a page that is reloaded over an overlay stands on its own entry again', async () => {
  const { to, page, trail, heard } = setUp();
  await to(2);
  const again = createFakeHistory('/b', page.history.state);
  again.history.pushState(page.history.state, '', '/b');
  again.history.replaceState({ key: 'b', wardlineOverlay: { page: 'p', depth: 0 } }, '');
  again.history.pushState({ key: 'b', wardlineOverlay: { page: 'p', depth: 1 } }, '', '/b');
  createOverlayHistory(again);
  await vi.advanceTimersByTimeAsync(20);
  expect(again.trail()).toBe('/b [/b] /b');
  expect(again.history.state).toEqual({ key: 'b' });
  expect(trail()).toBe('/a /b /b [/b]');
  expect(heard).toEqual([]);
});
