// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createOverlays } from '@wardline/client/overlays/overlays.ts';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import type { ReactElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pageToasts, showToast } from '#/shared/contexts/show-toast.ts';
import { lazyMenu } from './lazy-menu.tsx';
import { closeMissing, dismissMissing, lazyPart } from './lazy-part.tsx';

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const said = () => (pageToasts.get()?.get() ?? []).filter(({ open }) => open);
const titles = () => said().map(({ title }) => title);

beforeEach(async () => {
  await showToast({ title: 'before' });
  pageToasts.get()?.clear();
});

function Sheet({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      Close the sheet
    </button>
  );
}

describe('a part that comes when it is shown', () => {
  it('PWA-6 is there once its code is, with what stands for it meanwhile', async () => {
    let come = (_sheet: typeof Sheet) => {};
    const Part = lazyPart(() => new Promise<typeof Sheet>((resolve) => (come = resolve)), {
      whileLoading: () => <p>On its way</p>,
    });
    render(<Part onClose={() => undefined} />);
    expect(screen.getByText('On its way')).toBeTruthy();
    come(Sheet);
    expect(await screen.findByRole('button', { name: 'Close the sheet' })).toBeTruthy();
  });

  it('PWA-6 SHELL-4 and whose code is gone closes, and the page is told and lives', async () => {
    const Part = lazyPart<{ onClose: () => void }>(gone, { onMissing: closeMissing });
    const onClose = vi.fn();
    render(
      <>
        <p>The page</p>
        <Part onClose={onClose} />
      </>,
    );
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    await waitFor(() => expect(titles()).toEqual(['This part did not load']));
    expect(screen.getByText('The page')).toBeTruthy();
  });

  it('PWA-6 a full load is offered until somebody takes it or closes it', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    const Part = lazyPart<{ onClose: () => void }>(gone, { onMissing: closeMissing });
    render(<Part onClose={() => undefined} />);
    await waitFor(() => expect(said()).toHaveLength(1));
    const [toast] = said();
    expect(toast?.duration).toBe(0);
    expect(toast?.actions.map(({ label }) => label)).toEqual(['Load again']);
    expect(reload).not.toHaveBeenCalled();
    toast?.actions[0]?.onClick?.();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('OVERLAY-1 an overlay whose code is gone resolves as dismissed and is not left in the stack', async () => {
    const overlays = createOverlays();
    const Part = lazyPart(gone, { onMissing: dismissMissing });
    const answer = overlays.create(Part, { destroyOnClose: true }).open();
    const [entry] = overlays.get();
    if (!entry) throw new Error('nothing is open');
    render(<Part overlay={entry.overlay as never} />);
    expect(await answer).toBeUndefined();
    expect(overlays.get()).toEqual([]);
  });

  it('PWA-6 a menu whose code is gone keeps its button, which says so when it is pressed, and only then', async () => {
    const Menu = lazyMenu<{ trigger: ReactElement }>(gone);
    await act(async () => void render(<Menu trigger={<button type="button">Account</button>} />));
    expect(titles()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Account' }));
    await waitFor(() => expect(titles()).toEqual(['This part did not load']));
  });

  it('F-U3 a menu whose button is pressed before its code is there opens once it is', async () => {
    let come = (_menu: typeof AccountMenu) => {};
    const LazyMenu = lazyMenu<{ trigger: ReactElement }>(() => new Promise((resolve) => (come = resolve)));
    render(<LazyMenu trigger={<button type="button">Account</button>} />);
    fireEvent.click(screen.getByRole('button', { name: 'Account' }));
    await act(async () => come(AccountMenu));
    expect(await screen.findByRole('menuitem', { name: 'Sign out' })).toBeTruthy();
  });

  it('F-U3 and stays closed where nobody pressed it', async () => {
    const LazyMenu = lazyMenu<{ trigger: ReactElement }>(async () => AccountMenu);
    await act(async () => void render(<LazyMenu trigger={<button type="button">Account</button>} />));
    expect(screen.queryByRole('menuitem')).toBeNull();
  });

  it('PWA-6 a press that came before the code turned out to be gone is answered, too', async () => {
    let fail = (_error: Error) => {};
    const LazyMenu = lazyMenu<{ trigger: ReactElement }>(() => new Promise((_resolve, reject) => (fail = reject)));
    render(<LazyMenu trigger={<button type="button">Account</button>} />);
    fireEvent.click(screen.getByRole('button', { name: 'Account' }));
    expect(titles()).toEqual([]);
    await act(async () => fail(new TypeError('Failed to fetch dynamically imported module')));
    await waitFor(() => expect(titles()).toEqual(['This part did not load']));
  });
});

function AccountMenu({ trigger }: { trigger: ReactElement }) {
  return (
    <Menu trigger={trigger}>
      <MenuItem>Sign out</MenuItem>
    </Menu>
  );
}
