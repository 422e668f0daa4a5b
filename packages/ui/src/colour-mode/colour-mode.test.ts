import { expect, test, vi } from 'vitest';
import { COLOUR_MODE_KEY, type ColourModeHost, createColourMode, resolveMode } from '#/colour-mode/colour-mode.ts';

function setUp(stored?: string, systemIsDark?: boolean) {
  const store = new Map(stored === undefined ? [] : [[COLOUR_MODE_KEY, stored]]);
  const events = new EventTarget();
  const media = Object.assign(new EventTarget(), { matches: systemIsDark === true });
  const root = { dataset: {} as DOMStringMap, style: { colorScheme: '' } };
  const warn = vi.fn();
  const host: ColourModeHost = {
    root: root as unknown as HTMLElement,
    storage: () => ({
      getItem: (key) => store.get(key) ?? null,
      setItem: (key, value) => void store.set(key, value),
    }),
    matchMedia: systemIsDark === undefined ? undefined : () => media as unknown as MediaQueryList,
    events,
    warn,
  };
  return {
    host,
    root,
    store,
    warn,
    colourMode: createColourMode(host),
    turnSystem: (isDark: boolean) => {
      media.matches = isDark;
      media.dispatchEvent(new Event('change'));
    },
    otherTab: (value: string | null, key: string | null = COLOUR_MODE_KEY) => {
      if (value === null) store.delete(COLOUR_MODE_KEY);
      else store.set(COLOUR_MODE_KEY, value);
      events.dispatchEvent(Object.assign(new Event('storage'), { key }));
    },
  };
}

test('MODE-1: the choice is system by default and light where the system says nothing', () => {
  const { colourMode, root, store } = setUp();
  expect(colourMode.get()).toEqual({ preference: 'system', forced: undefined, mode: 'light' });
  expect(root.dataset['mode']).toBe('light');
  expect(root.style.colorScheme).toBe('light');
  expect(store.size).toBe(0);
});

test.each([
  ['dark', false, 'dark'],
  ['light', true, 'light'],
  ['system', true, 'dark'],
  ['system', false, 'light'],
  ['nonsense', true, 'dark'],
])('MODE-1: with %s kept and a dark system %s the page is %s', (stored, systemIsDark, mode) => {
  const { root } = setUp(stored, systemIsDark);
  expect(root.dataset['mode']).toBe(mode);
});

test('MODE-1: system follows the operating system while the page is open, a choice does not', () => {
  const { colourMode, root, turnSystem } = setUp('system', false);
  const listener = vi.fn();
  const end = colourMode.subscribe(listener);
  turnSystem(true);
  expect(root.dataset['mode']).toBe('dark');
  expect(listener).toHaveBeenCalledOnce();
  end();
  colourMode.set('light');
  turnSystem(false);
  turnSystem(true);
  expect(root.dataset['mode']).toBe('light');
  expect(listener).toHaveBeenCalledOnce();
});

test('MODE-1: a choice is kept under the one key and shown at once', () => {
  const { colourMode, root, store } = setUp('system', false);
  colourMode.set('dark');
  expect(store.get('wardline-color-mode')).toBe('dark');
  expect(root.dataset['mode']).toBe('dark');
  expect(root.style.colorScheme).toBe('dark');
});

test('MODE-1: other tabs follow, also when the storage is emptied, and other keys change nothing', () => {
  const { colourMode, root, otherTab } = setUp('light', false);
  otherTab('dark');
  expect(colourMode.get().preference).toBe('dark');
  expect(root.dataset['mode']).toBe('dark');
  otherTab('light', 'something-else');
  expect(root.dataset['mode']).toBe('dark');
  otherTab(null, null);
  expect(colourMode.get()).toEqual({ preference: 'system', forced: undefined, mode: 'light' });
});

test('MODE-1: a choice holds for the page when the storage is closed', () => {
  const { host } = setUp();
  const refuse = () => {
    throw new Error('closed');
  };
  const colourMode = createColourMode({ ...host, storage: refuse });
  colourMode.set('dark');
  expect(colourMode.get().mode).toBe('dark');
});

test('MODE-2: a page forces a mode without touching the choice and gives it back', () => {
  const { colourMode, root, store, turnSystem } = setUp('light', false);
  colourMode.force('dark');
  expect(root.dataset['mode']).toBe('dark');
  expect(colourMode.get().preference).toBe('light');
  expect(store.get(COLOUR_MODE_KEY)).toBe('light');
  turnSystem(true);
  colourMode.force(undefined);
  expect(root.dataset['mode']).toBe('light');
});

test("MODE-2: forcing 'system' is refused with the warning and changes nothing", () => {
  const { colourMode, warn } = setUp('light', true);
  colourMode.force('dark');
  colourMode.force('system');
  expect(warn).toHaveBeenCalledExactlyOnceWith('You cannot force the colorMode to system at the page level.');
  expect(colourMode.get()).toEqual({ preference: 'light', forced: 'dark', mode: 'dark' });
});

test('MODE-1: what is stopped follows nobody any more', () => {
  const { colourMode, root, turnSystem, otherTab } = setUp('system', false);
  colourMode.stop();
  turnSystem(true);
  otherTab('dark');
  expect(root.dataset['mode']).toBe('light');
  expect(resolveMode('system', undefined)).toBe('light');
});
