// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Menu, MenuChoice, MenuItem } from '#/menu/menu.tsx';

afterEach(cleanup);

async function show(onSelect: () => void, onValueChange: (value: 'light' | 'dark') => void): Promise<void> {
  render(
    <Menu trigger={<button type="button">Account</button>}>
      <MenuItem onSelect={onSelect}>Sign out</MenuItem>
      <MenuItem href="/settings">Settings</MenuItem>
      <MenuChoice
        label="Appearance"
        value="light"
        onValueChange={onValueChange}
        choices={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </Menu>,
  );
  await act(async () => void fireEvent.keyDown(screen.getByText('Account'), { key: 'Enter' }));
}

test('SHELL-7: the keyboard opens a menu of items and links, and an item chosen closes it', async () => {
  const onSelect = vi.fn();
  await show(onSelect, vi.fn());
  expect(screen.getByRole('menuitem', { name: 'Settings' }).getAttribute('href')).toBe('/settings');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
  expect(onSelect).toHaveBeenCalledOnce();
  expect(screen.queryByRole('menu')).toBeNull();
});

test('SHELL-8: a choice inside a menu says what is chosen and hands over the other', async () => {
  const onValueChange = vi.fn();
  await show(vi.fn(), onValueChange);
  expect(screen.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked')).toBe('true');
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('dark');
});

test('SHELL-8: an open menu puts no style element on the page, which the content policy would refuse', async () => {
  await show(vi.fn(), vi.fn());
  expect(screen.getByRole('menu')).toBeDefined();
  expect(document.querySelectorAll('style')).toHaveLength(0);
});
