import { expect, type Page } from '@playwright/test';
import type { HttpPerson } from './http-person.ts';

export interface DemoPage {
  readonly name: string;
  readonly path: string;
}

interface ListedChat {
  readonly id: string;
  readonly facility_id: string;
  readonly kind: string;
  readonly head_seq: number;
  readonly my: { readonly unread: number };
}

/** The routes of the product as this person meets them in the demo hospital. */
export async function demoPages(person: HttpPerson): Promise<DemoPage[]> {
  const pages: DemoPage[] = [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'chats', path: '/chats' },
    { name: 'chat', path: '/chat' },
    { name: 'search', path: '/search' },
    { name: 'people', path: '/people' },
    { name: 'on-call', path: '/people?view=on-call' },
    { name: 'handover-list', path: '/handovers' },
    { name: 'settings', path: '/settings' },
    { name: 'verify-email', path: '/verify-email' },
    { name: 'readers', path: '/settings/readers' },
    { name: 'recorded', path: '/settings/recorded' },
    ...(await permittedPages(person)),
  ];
  const { chats } = await person.get<{ chats: ListedChat[] }>('/api/sync?limit=200');
  const longest = chats.toSorted((a, b) => b.head_seq - a.head_seq)[0];
  if (longest === undefined) return pages;
  const unreadCase = chats.find((chat) => chat.kind === 'case' && chat.my.unread > 0);
  pages.push({ name: 'facility', path: `/chat/f-${longest.facility_id}` });
  const people = await person.get<{ data: { user_id: string }[] }>(
    `/api/facilities/${longest.facility_id}/members?limit=2`,
  );
  const other = people.data.find(({ user_id }) => user_id !== person.userId);
  if (other) pages.push({ name: 'person', path: `/chat/f-${longest.facility_id}/p-${other.user_id}` });
  if (unreadCase) pages.push({ name: 'case', path: casePath(unreadCase) });
  if (unreadCase) pages.push({ name: 'examinations', path: `${casePath(unreadCase)}/examinations` });
  const examination = await firstPath(person, chats, { list: 'examinations', letter: 'e' });
  if (examination) pages.push({ name: 'examination', path: examination });
  if (unreadCase) pages.push({ name: 'new-handover', path: `${casePath(unreadCase)}/h-${unreadCase.id}` });
  const handover = await firstPath(person, chats, { list: 'handovers', letter: 'h' });
  if (handover) pages.push({ name: 'handover', path: handover });
  pages.push({ name: 'long-group', path: `/chat/f-${longest.facility_id}/c-${longest.id}` });
  return pages;
}

/** What stands beside the first case that has such a thing. */
async function firstPath(
  person: HttpPerson,
  chats: readonly ListedChat[],
  { list, letter }: { readonly list: string; readonly letter: string },
): Promise<string | undefined> {
  for (const chat of chats.filter(({ kind }) => kind === 'case')) {
    const { data } = await person.get<{ data: { id: string }[] }>(`/api/chats/${chat.id}/${list}`);
    if (data[0]) return `${casePath(chat)}/${letter}-${data[0].id}`;
  }
  return undefined;
}

const casePath = (chat: ListedChat) => `/chat/f-${chat.facility_id}/c-${chat.id}`;

/** Pages that ask for a permission. */
const PERMITTED = [
  { name: 'facility-settings', permission: 'facility.manage', path: '/settings/facility' },
  { name: 'forms', permission: 'facility.manage', path: '/settings/facility?view=forms' },
  {
    ...{ name: 'form', permission: 'facility.manage' },
    path: '/settings/facility?view=forms&form=00000000-0000-7000-8000-0000000000e2',
  },
  { name: 'laboratory', permission: 'results.assign', path: '/settings/laboratory' },
  { name: 'census', permission: 'census.view' },
  { name: 'census-settings', permission: 'census.view', path: '/census?view=settings' },
  { name: 'census-unit', permission: 'census.report_units' },
  { name: 'census-summary', permission: 'census.report_summary' },
  { name: 'census-logs', permission: 'census.logs' },
  { name: 'audit', permission: 'audit.view', path: '/settings/audit' },
  { name: 'interruptions', permission: 'on_call.manage', path: '/people?view=interruptions' },
  { name: 'emergency', permission: 'audit.view', path: '/settings/emergency' },
];

/** Of system administrators only. */
const OF_OPERATOR: readonly DemoPage[] = [
  { name: 'system', path: '/settings/system' },
  ...['facilities', 'jobs', 'sending', 'health'].map((part) => ({
    name: `system-${part}`,
    path: `/settings/system?part=${part}`,
  })),
];

async function permittedPages(person: HttpPerson): Promise<DemoPage[]> {
  const { memberships, is_operator } = await person.get<{
    memberships: { permissions: string[] }[];
    is_operator: boolean;
  }>('/api/user');
  const permissions = memberships.flatMap((membership) => membership.permissions);
  const permitted = PERMITTED.filter(({ permission }) => permissions.includes(permission));
  return [...permitted.map(({ name, path = `/${name}` }) => ({ name, path })), ...(is_operator ? OF_OPERATOR : [])];
}

/** An address that no page has. */
export const UNKNOWN_PATH = '/no/such/page';

/** The pages that need nobody to be signed in. */
export const GUEST_PAGES: readonly DemoPage[] = [
  { name: 'landing', path: '/' },
  { name: 'about', path: '/about' },
  { name: 'contacts', path: '/contacts' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-up', path: '/sign-up' },
  { name: 'setup', path: '/setup' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'password-reset', path: `/password-reset/${'A'.repeat(43)}?email=nurse%40demo.test` },
  { name: 'unknown-page', path: UNKNOWN_PATH },
  { name: 'forbidden', path: '/403' },
];

/** Opens a page and waits until nothing on it is still loading. */
export async function openAndSettle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
