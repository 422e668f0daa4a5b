// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { getLaboratoryFeed, type LaboratoryFeed } from '@wardline/contract/examinations/laboratory.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { ResultAct, ResultsWaiting } from './results-waiting.tsx';

beforeEach(() => setOnline(true));

const FEED: LaboratoryFeed = {
  ...{ version: 3, authority: null, critical_role: null, codes: [], unmatched: 0, unmatched_critical: 0 },
  my: { can_change: false, can_assign: true },
};

/** The dashboard's line over a server where so many wait, and what tells the page that somebody is called. */
async function open(waits: Partial<LaboratoryFeed>, isNamed = false) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { feed: { ...FEED, ...waits }, asked: 0 };
  app.api.on(getLaboratoryFeed, () => {
    server.asked += 1;
    return server.feed;
  });
  let events: Record<string, (data: unknown) => void> = {};
  const join = (_channel: unknown, _id: string, handlers: { events: typeof events }) => {
    events = handlers.events;
    return { leave: () => undefined };
  };
  const drawn = app.draw(<ResultsWaiting facility={stBrigid} userId={ana.id} isNamed={isNamed} />, (page) => (
    <RealtimeContext value={{ join } as never}>{page}</RealtimeContext>
  ));
  await waitFor(() => expect(server.asked).toBe(1));
  const hear = (event: string) => act(async () => events[event]?.({}));
  return { ...drawn, server, hear };
}

describe('the line of the dashboard', () => {
  it.each([
    [{ unmatched: 1 }, false, '1 laboratory result to assign.', 'It matches no chat, so nobody sees it yet.'],
    [
      { unmatched: 3, unmatched_critical: 2 },
      true,
      '3 laboratory results to assign at St. Brigid General, 2 critical.',
      'They match no chat, so nobody sees them yet.',
    ],
    [{ unmatched: 2, unmatched_critical: 2 }, false, '2 laboratory results to assign, critical.', 'They match no chat'],
  ])('EXAM-1 EXAM-5 says how many wait: %o', async (waits, isNamed, title, why) => {
    await open(waits, isNamed);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(why, { exact: false })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Assign' }).getAttribute('href')).toBe(
      `/settings/laboratory?facility=${stBrigid.id}`,
    );
  });

  it('EXAM-5 comes and goes as soon as somebody is called, or the call is over', async () => {
    const { container, server, hear } = await open({});
    expect(container.textContent).toBe('');
    server.feed = { ...FEED, unmatched: 1, unmatched_critical: 1 };
    await hear('UrgentCalled');
    expect(await screen.findByText('1 laboratory result to assign, critical.')).toBeTruthy();
    server.feed = FEED;
    await hear('UrgentChanged');
    await waitFor(() => expect(container.textContent).toBe(''));
  });
});

it('EXAM-1 PERM-2 a line of a chat leads to what waits, for who may assign it alone', () => {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const { rerender, container } = app.draw(<ResultAct facility={{ ...stBrigid, permissions: ['results.assign'] }} />);
  expect(screen.getByRole('link', { name: 'Results to assign' })).toBeTruthy();
  rerender(<ResultAct facility={{ ...stBrigid, permissions: ['chats.create'] }} />);
  expect(container.textContent).toBe('');
});
