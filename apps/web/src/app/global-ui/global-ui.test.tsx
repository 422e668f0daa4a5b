// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { InstallPrompt, InstallState } from '@wardline/client/pwa/install-prompt.ts';
import type { UpdateState, UpdateWatch } from '@wardline/client/pwa/service-worker.ts';
import { describe, expect, it, vi } from 'vitest';
import { InstallCard, UpdatePrompt } from './global-ui.tsx';

function fakeUpdates() {
  const state = createSource<UpdateState>({ needRefresh: true, isPrompting: true });
  const updates: UpdateWatch = {
    get: state.get,
    subscribe: state.subscribe,
    apply: vi.fn(),
    cancelPrompt: vi.fn(() => state.set({ needRefresh: true, isPrompting: false })),
    checkNow: async () => undefined,
    beforeReload: () => () => undefined,
  };
  return updates;
}

function fakeInstall(part: Partial<InstallState> = {}) {
  const state = createSource<InstallState>({ isOffered: true, steps: [], isInstalled: false, ...part });
  const install: InstallPrompt = {
    get: state.get,
    subscribe: state.subscribe,
    install: vi.fn(async () => undefined),
    cancel: vi.fn(() => state.set({ ...state.get(), isOffered: false })),
  };
  return { install, state };
}

describe('PWA-2 the update prompt', () => {
  it('PWA-2 has its text, spelled so, and Refresh applies', () => {
    const updates = fakeUpdates();
    render(<UpdatePrompt updates={updates} />);
    expect(screen.getByText('New contend found, need refresh page')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(updates.apply).toHaveBeenCalledTimes(1);
  });

  it('PWA-2 Cancel hides it and applies nothing', () => {
    const updates = fakeUpdates();
    render(<UpdatePrompt updates={updates} />);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('New contend found, need refresh page')).toBeNull();
    expect(updates.apply).not.toHaveBeenCalled();
  });
});

describe('PWA-3 the install prompt', () => {
  it('PWA-3 is titled, installs and can be dismissed', () => {
    const { install, state } = fakeInstall();
    render(<InstallCard install={install} />);
    expect(screen.getByRole('heading', { name: 'Install App' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Install' }));
    expect(install.install).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(install.cancel).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('heading')).toBeNull();
    act(() => state.set({ ...state.get(), isOffered: true }));
    expect(screen.getByRole('heading', { name: 'Install App' })).toBeTruthy();
  });

  it('PWA-3 says the steps where the browser has no prompt of its own', () => {
    const { install } = fakeInstall({ steps: ['Open the Share menu.', 'Choose ‘Add’.'] });
    render(<InstallCard install={install} />);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Open the Share menu.',
      'Choose ‘Add’.',
    ]);
    expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
  });
});
