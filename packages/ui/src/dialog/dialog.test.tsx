// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Dialog } from '#/dialog/dialog.tsx';

afterEach(cleanup);

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

// Focus goes back in a task of its own after the dialog is gone.
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

test('SHELL-7: Escape closes a dialog and the focus goes back to what opened it', async () => {
  render(<Example />);
  const opener = await open();
  fireEvent.keyDown(screen.getByLabelText('Reason'), { key: 'Escape' });
  await settle();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(opener);
});

test('SHELL-7: the focus goes back too when a button of the dialog closes it', async () => {
  render(<Example />);
  const opener = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await settle();
  expect(document.activeElement).toBe(opener);
});

test('SHELL-8: an open dialog puts no style element on the page, which the content policy would refuse', async () => {
  render(<Example />);
  await open();
  expect(document.querySelectorAll('style')).toHaveLength(0);
});
