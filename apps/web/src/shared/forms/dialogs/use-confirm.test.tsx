// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { useConfirm } from './use-confirm.ts';

// What a press would load is there, so that no test waits for it.
beforeAll(() => import('./confirm-dialog.tsx'));

function Page({ onConfirm, onAnswer }: { onConfirm: () => Promise<void>; onAnswer: (answer: unknown) => void }) {
  const confirm = useConfirm();
  const ask = async () =>
    onAnswer(await confirm({ title: 'Delete it?', description: 'For good.', confirmLabel: 'Delete', onConfirm }));
  return (
    <button type="button" onClick={() => void ask()}>
      Ask
    </button>
  );
}

async function asked(onConfirm = vi.fn<() => Promise<void>>(async () => {})) {
  const onAnswer = vi.fn();
  createFakeApp().draw(<Page onConfirm={onConfirm} onAnswer={onAnswer} />);
  screen.getByRole('button', { name: 'Ask' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await screen.findByRole('dialog', { name: 'Delete it?' });
  return { onConfirm, onAnswer };
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('a question before something that cannot be taken back', () => {
  it('OVERLAY-1 is answered with true once it is done, and goes', async () => {
    const { onConfirm, onAnswer } = await asked();
    press('Delete');
    await isGone();
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onAnswer.mock.calls).toEqual([[true]]);
  });

  it('OVERLAY-1 is answered with nothing where it is cancelled, and nothing is done', async () => {
    const { onConfirm, onAnswer } = await asked();
    press('Cancel');
    await isGone();
    await waitFor(() => expect(onAnswer.mock.calls).toEqual([[undefined]]));
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('OVERLAY-1 stays with the reason where it could not be done, and can be tried again', async () => {
    const refused = new ApiError('It is in use.', { status: 409, code: 'conflict' });
    const { onAnswer } = await asked(vi.fn<() => Promise<void>>(async () => {}).mockRejectedValueOnce(refused));
    press('Delete');
    expect((await screen.findByRole('alert')).textContent).toBe('It is in use.');
    expect(onAnswer).not.toHaveBeenCalled();
    press('Delete');
    await isGone();
    expect(onAnswer.mock.calls).toEqual([[true]]);
  });
});
