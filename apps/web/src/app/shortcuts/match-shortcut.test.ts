// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { createShortcutMatcher, type KeyPress } from './match-shortcut.ts';

function world({ hasSingleKeys = true } = {}) {
  const clock = { now: 0 };
  const match = createShortcutMatcher({ now: () => clock.now, hasSingleKeys: () => hasSingleKeys });
  const press = (key: string, more: Partial<KeyPress> = {}) =>
    match({ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, target: document.body, ...more });
  return { clock, press };
}

describe('SHELL-7 keys', () => {
  it.each(['ctrlKey', 'metaKey'])('SHELL-7 %s with K opens the palette, also while one types', (modifier) => {
    const { press } = world();
    expect(press('k', { [modifier]: true, target: document.createElement('textarea') })).toEqual({ type: 'palette' });
    expect(press('K', { [modifier]: true })).toEqual({ type: 'palette' });
    expect(press('k')).toBeNull();
  });

  it('SHELL-7 a question mark opens the sheet of shortcuts, but not in a text', () => {
    const { press } = world();
    expect(press('?')).toEqual({ type: 'sheet' });
    for (const name of ['input', 'textarea', 'select']) {
      expect(press('?', { target: document.createElement(name) })).toBeNull();
    }
    const inMenu = document.createElement('div');
    inMenu.setAttribute('role', 'menu');
    inMenu.innerHTML = '<button>x</button>';
    expect(press('?', { target: inMenu.firstElementChild })).toBeNull();
  });

  it('SHELL-7 G and then a letter goes to a page, within a second and a half', () => {
    const { clock, press } = world();
    expect(press('g')).toBeNull();
    expect(press('d')).toEqual({ type: 'go', path: '/dashboard' });
    press('g');
    clock.now = 1600;
    expect(press('c')).toBeNull();
    press('g');
    expect(press('x')).toBeNull();
    expect(press('c')).toBeNull();
  });

  it('SHELL-7 keys without Ctrl can be switched off, those with it stay', () => {
    const { press } = world({ hasSingleKeys: false });
    expect(press('?')).toBeNull();
    press('g');
    expect(press('d')).toBeNull();
    expect(press('k', { ctrlKey: true })).toEqual({ type: 'palette' });
  });

  it('SHELL-7 what an input method is still composing is no shortcut', () => {
    const { press } = world();
    expect(press('?', { isComposing: true })).toBeNull();
    expect(press('k', { ctrlKey: true, altKey: true })).toBeNull();
  });
});
