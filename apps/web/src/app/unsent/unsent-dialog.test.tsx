// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { ApiError, transportError } from '@wardline/client/http/api-error.ts';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { expect, it } from 'vitest';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { useUnsentList } from './use-unsent-list.ts';

async function openList() {
  const store = createMemoryStore('u1');
  const log = createSilentLog();
  const outbox = createSharedOutbox({ store, userId: 'u1', log, firstKind: 'message', ...createFakeTabs() });
  const of = (kind: string, send: () => Promise<never>, href: string | null) =>
    outbox.of<string, string>(kind, {
      send,
      deliver: () => [],
      describeFailure: () => 'The day was locked before this report arrived.',
      describe: ({ payload }) => ({ title: payload, text: kind, href }),
    });
  const locked = new ApiError('no', { status: 409, code: 'conflict' });
  const reports = of('census-report', () => Promise.reject(locked), '/census-unit?unit=u');
  const messages = of('message', () => Promise.reject(transportError('network', 'offline')), null);
  await outbox.open();
  const item = (clientId: string, payload: string) => ({
    clientId,
    lane: clientId,
    payload,
    writtenAt: '2026-11-20T00:41:00Z',
  });
  await reports.add(item('r1', 'MED 3A, Thu 19 Nov'));
  await messages.add(item('m1', 'Ward round'));
  await waitFor(() => expect(outbox.count.get().failed).toBe(1));
  const app = createFakeApp();
  function Opener() {
    return (
      <button type="button" onClick={useUnsentList()}>
        Open
      </button>
    );
  }
  // The list is an overlay, hence a sibling of what opens it.
  app.draw(<Opener />, (page) => <DeviceContext value={{ store, outbox }}>{page}</DeviceContext>);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Not sent yet' }));
  return { outbox, dialog };
}

it('CEN-2 PWA-5 what waits stands in one list, each with what it is, what became of it and the way to it', async () => {
  const { dialog } = await openList();
  const [report, message] = dialog.getAllByRole('listitem');
  expect(report?.textContent).toContain('census-report · refused: The day was locked before this report arrived.');
  expect(dialog.getByRole('link', { name: 'MED 3A, Thu 19 Nov' }).getAttribute('href')).toBe('/census-unit?unit=u');
  expect(message?.textContent).toContain('message · waiting for the network');
  expect(within(message as HTMLElement).queryByRole('button')).toBeNull();
});

it('CEN-2 what was refused stays until its author decides, and is asked about before it goes', async () => {
  const { dialog, outbox } = await openList();
  fireEvent.click(dialog.getByRole('button', { name: 'Discard' }));
  const question = await screen.findByRole('dialog', { name: 'Discard unsent work: MED 3A, Thu 19 Nov?' });
  expect(outbox.count.get().failed).toBe(1);
  fireEvent.click(within(question).getByRole('button', { name: 'Discard it' }));
  await waitFor(() => expect(outbox.count.get()).toMatchObject({ failed: 0, waiting: 1 }));
  await waitFor(() => expect(screen.queryByText('MED 3A, Thu 19 Nov')).toBeNull());
});
