// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from '#/dialog/dialog.tsx';
import { Menu, MenuItem } from '#/menu/menu.tsx';

configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Example() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Reopen
      </button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Reopen Wed 18 Nov?"
        description="It was signed."
        footer={
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        }
      >
        <input aria-label="Reason" />
      </Dialog>
    </>
  );
}

async function open(): Promise<HTMLElement> {
  const opener = screen.getByRole('button', { name: 'Reopen' });
  opener.focus();
  await act(async () => fireEvent.click(opener));
  return opener;
}

// Lets a dialog do what it does in tasks of its own, before it is said what did not happen.
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 5)));

test('SHELL-7: a dialog is named and described, takes the focus and keeps it', async () => {
  render(<Example />);
  const opener = await open();
  const dialog = screen.getByRole('dialog', { name: 'Reopen Wed 18 Nov?' });
  expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toBe('It was signed.');
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
  act(() => opener.focus());
  expect(dialog.contains(document.activeElement)).toBe(true);
});

function FromMenu({ isRowGone = false }: { readonly isRowGone?: boolean }) {
  const [open, setOpen] = useState(false);
  const [isGone, setIsGone] = useState(false);
  return (
    <div role="log" tabIndex={-1} aria-label="Messages">
      {!isGone && (
        <Menu trigger={<button type="button">More</button>}>
          <MenuItem onSelect={() => setOpen(true)}>Delete</MenuItem>
        </Menu>
      )}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete this message?"
        footer={
          <button
            type="button"
            onClick={() => {
              setIsGone(isRowGone);
              setOpen(false);
            }}
          >
            Answer
          </button>
        }
      />
    </div>
  );
}

test.each([
  ['its button', false, () => screen.getByRole('button', { name: 'More' })],
  ['what is around the button, where that is gone', true, () => screen.getByRole('log')],
])('SHELL-7: a dialog that a menu opened gives the focus back to %s', async (_what, isRowGone, expected) => {
  render(<FromMenu isRowGone={isRowGone} />);
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' });
  const item = await screen.findByRole('menuitem', { name: 'Delete' });
  act(() => item.focus());
  await act(async () => fireEvent.click(item));
  const answer = await screen.findByRole('button', { name: 'Answer' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await act(async () => fireEvent.click(answer));
  await waitFor(() => expect(document.activeElement).toBe(expected()));
});

test('SHELL-7: Escape closes a dialog and the focus goes back to what opened it', async () => {
  render(<Example />);
  const opener = await open();
  fireEvent.keyDown(screen.getByLabelText('Reason'), { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('SHELL-7: the focus goes back too when a button of the dialog closes it', async () => {
  render(<Example />);
  const opener = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('SHELL-7: the focus does not go back from where somebody has put it meanwhile', async () => {
  render(
    <>
      <Example />
      <input aria-label="Search" />
    </>,
  );
  const opener = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const search = screen.getByLabelText('Search');
  search.focus();
  await settle();
  expect(document.activeElement).toBe(search);
  expect(opener.isConnected).toBe(true);
});

test('SHELL-8: an open dialog puts no style element on the page, which the content policy would refuse', async () => {
  render(<Example />);
  await open();
  expect(document.querySelectorAll('style')).toHaveLength(0);
});

function animate(name: string | undefined): void {
  const real = window.getComputedStyle.bind(window);
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, pseudo) => {
    const styles = real(element, pseudo);
    if (name === undefined || !(element instanceof HTMLElement)) return styles;
    return new Proxy(styles, {
      get: (target, key) =>
        key === 'animationName' ? `${name}-${element.dataset['state']}` : Reflect.get(target, key, target),
    });
  });
}

function endAnimations(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.dialog, .dialog-layer')) {
    const event = Object.assign(new Event('animationend', { bubbles: true }), { animationName: 'fade-closed' });
    act(() => void element.dispatchEvent(event));
  }
}

const leaving = (open: boolean, onAfterLeave: () => void) => (
  <StrictMode>
    <Dialog open={open} onOpenChange={vi.fn()} title="Reopen?" onAfterLeave={onAfterLeave} />
  </StrictMode>
);

test('OVERLAY-1 a dialog stays until its leave animation has ended and says then that it has left', async () => {
  animate('fade');
  const onAfterLeave = vi.fn();
  const { rerender } = render(leaving(true, onAfterLeave));
  await settle();
  rerender(leaving(false, onAfterLeave));
  await settle();
  expect(document.querySelector('.dialog-layer')?.getAttribute('data-state')).toBe('closed');
  expect(screen.queryByText('Reopen?')).not.toBeNull();
  expect(onAfterLeave).not.toHaveBeenCalled();
  endAnimations();
  await waitFor(() => expect(document.querySelector('.dialog-layer')).toBeNull());
  expect(onAfterLeave).toHaveBeenCalledOnce();
});

test('OVERLAY-1 without an animation a dialog has left at once', async () => {
  const onAfterLeave = vi.fn();
  const { rerender } = render(leaving(true, onAfterLeave));
  rerender(leaving(false, onAfterLeave));
  await waitFor(() => expect(document.querySelector('.dialog-layer')).toBeNull());
  expect(onAfterLeave).toHaveBeenCalledOnce();
});

test('OVERLAY-1 a dialog whose page goes while it is open has not been left', async () => {
  const onAfterLeave = vi.fn();
  const { unmount } = render(leaving(true, onAfterLeave));
  unmount();
  await settle();
  expect(onAfterLeave).not.toHaveBeenCalled();
});
