// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type AuditEntry, findAuditedChats, listAudit, listReaders } from '@wardline/contract/audit.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listMembers } from '@wardline/contract/facilities/members.ts';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { stBrigid } from '#/testing/fake-chats.ts';
import { AuditPage } from './audit-page.tsx';
import { ReadersPage } from './readers-page.tsx';

afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const officers: Facility = { ...stBrigid, time_zone: 'Asia/Manila', permissions: ['audit.view'] };
const edith = {
  id: id(7),
  kind: 'case',
  title: 'Edith',
  patient: { name: 'Edith Sample', identifier: 'MRN 4711' },
} as const;

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: number, at: '2026-11-19T16:30:00.000Z', actor: { id: id(2), name: 'Ana Reyes' }, action: 'chat.read' },
  ...{ kind: 'read', what: 'Opened the chat', outcome: 'done', times: 1, chat: edith, person: null, ip: '10.0.0.7' },
  ...more,
});

function setUp(pages: readonly AuditEntry[][] = [[entry(1)]], { search = '', Page = AuditPage } = {}) {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T02:00:00Z'));
  const app = createFakeApp();
  const gone: string[] = [];
  const page = ({ query }: { query: { cursor?: string | undefined } }) => {
    const number = Number(query.cursor ?? 0);
    return { data: [...(pages[number] ?? [])], next_cursor: number + 1 < pages.length ? String(number + 1) : null };
  };
  app.api.on(listAudit, page);
  app.api.on(listReaders, page);
  app.api.on(findAuditedChats, () => ({ data: [edith] }));
  app.api.on(listMembers, () => ({ data: [], next_cursor: null }));
  app.draw(<Addressed Page={Page} search={search} onGo={(href) => gone.push(href)} />);
  return { ...app, gone };
}

interface AddressedProps {
  readonly Page: typeof AuditPage;
  readonly search: string;
  readonly onGo: (href: string) => void;
}

/** The page with an address that follows it. */
function Addressed({ Page, search: first, onGo }: AddressedProps) {
  const [search, setSearch] = useState(first);
  const go = (href: string) => {
    onGo(href);
    setSearch(new URL(href, location.href).search);
  };
  return <Page facility={officers} search={search} onGo={go} />;
}

const rows = async () => (await screen.findAllByRole('article')).map((row) => row.textContent);

it('ADM-3 who did and read what stands under its day by the facility’s clock, refusals as refusals', async () => {
  setUp([
    [
      entry(3, {
        outcome: 'refused',
        times: 3,
        what: 'Gave a wrong password',
        kind: 'sign_in',
        actor: null,
        chat: null,
      }),
      entry(2, {
        at: '2026-11-19T08:20:00.000Z',
        person: { id: id(9), name: 'Ben Ode' },
        what: 'Removed a member',
        ip: null,
      }),
      entry(1, {
        at: '2026-11-19T08:19:00.000Z',
        actor: null,
        kind: 'census',
        what: 'New census days were made',
        chat: null,
      }),
    ],
  ]);
  expect(await rows()).toEqual([
    'Fri 20 Nov00:30Someone not signed in · Gave a wrong passwordRefused 3 times10.0.0.7',
    'Thu 19 Nov16:20Ana Reyes · Removed a member · Ben OdeEdith Sample, MRN 4711',
    '16:19Automatic · New census days were made10.0.0.7',
  ]);
});

it('ADM-3 who saw a patient is asked by name or number, and shown as readings of all their chats', async () => {
  const { api, gone } = setUp();
  await rows();
  fireEvent.click(screen.getByRole('button', { name: /Patient or chat/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Who saw this patient' });
  fireEvent.change(within(dialog).getByRole('searchbox'), { target: { value: 'edith' } });
  fireEvent.click(await within(dialog).findByRole('button', { name: /Edith Sample/ }));
  expect(gone).toEqual([`/settings/audit?kind=read&chat=${edith.id}`]);
  await waitFor(() => expect(api.asked.at(-1)).toContain(`kind=read&chat=${edith.id}`));
  // The chip names the patient, and takes the filter off.
  fireEvent.click(await screen.findByRole('button', { name: /Edith Sample, MRN 4711/ }));
  expect(gone.at(-1)).toBe('/settings/audit?kind=read');
});

it('ADM-3 filters by kind, refusals and days stand in the address, and go on with the pages', async () => {
  const search = `?kind=access&outcome=refused&from=2026-11-01&to=2026-11-19&person=${id(2)}&chat=nonsense`;
  const { api } = setUp([[entry(2)], [entry(1)]], { search });
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  const asked = api.asked.filter((line) => line.includes('/audit?'));
  for (const line of asked) {
    expect(line).toContain(`person=${id(2)}&kind=access&outcome=refused&from=2026-11-01&to=2026-11-19&limit=50`);
  }
  expect(asked.at(-1)).toContain('cursor=1');
  expect(screen.getByRole('button', { name: 'Refused only' }).getAttribute('aria-pressed')).toBe('true');
});

it('ADM-3 where nothing fits among the newest, the search goes on by a press, or the filters go', async () => {
  const { gone } = setUp([[], [entry(1)]], { search: '?outcome=refused' });
  fireEvent.click(await screen.findByRole('button', { name: 'Search earlier' }));
  expect(await rows()).toHaveLength(1);
  const nothing = setUp([[]], { search: '?outcome=refused' });
  fireEvent.click((await screen.findAllByRole('button', { name: 'Clear filters' })).at(-1) as HTMLElement);
  expect([...gone, ...nothing.gone]).toEqual(['/settings/audit']);
});

it('ADM-3 is exported with the filters that are on', async () => {
  setUp(undefined, { search: '?kind=read' });
  await rows();
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url);
    return Response.json({ message: 'No.' }, { status: 403 });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(sent[0]).toContain(`/facilities/${officers.id}/audit/export?kind=read`));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Export CSV' }).getAttribute('aria-busy')).toBeNull());
});

it('F-S4 who opened my chats shows the others, and one chat by a press', async () => {
  const { api } = setUp(undefined, { Page: ReadersPage });
  expect(await rows()).toEqual(['Fri 20 Nov00:30Ana Reyes · Opened the chatEdith Sample, MRN 4711']);
  const link = screen.getByRole('link', { name: 'Edith Sample, MRN 4711' });
  expect(link.getAttribute('href')).toBe(`/settings/readers?chat=${edith.id}`);
  expect(api.asked.some((line) => line.includes('/facilities/'))).toBe(false);
});

it('without a network the page says so', async () => {
  setOnline(false);
  setUp();
  expect(await screen.findByText('You are offline')).toBeTruthy();
});
