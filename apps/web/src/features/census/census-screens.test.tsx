// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { stBrigid } from '#/testing/fake-chats.ts';
import { CensusBoardScreen, CensusLogsScreen, CensusSummaryScreen } from './census-screens.tsx';

const gone = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('./board/board-screen.tsx', gone);
vi.mock('./settings/settings-screen.tsx', gone);
vi.mock('./summary/summary-screen.tsx', gone);
vi.mock('./log/logs-screen.tsx', gone);

afterEach(() => vi.restoreAllMocks());

it.each([
  ['Census', CensusBoardScreen, ''],
  ['Census settings', CensusBoardScreen, '?view=settings'],
  ['Summary', CensusSummaryScreen, ''],
  ['Census settings', CensusSummaryScreen, '?view=settings'],
  ['Census logs', CensusLogsScreen, ''],
])('PWA-6 SHELL-4 the page %s whose code is gone keeps its head and offers a full load', async (...page) => {
  const [title, Screen, search] = page;
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  createFakeApp(undefined, { address: `/census${search}` }).draw(<Screen facility={stBrigid} />);
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByRole('heading', { name: 'This page did not load' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
  fireEvent.click(alert.getByRole('button', { name: 'Load again' }));
  expect(reload).toHaveBeenCalledOnce();
});
