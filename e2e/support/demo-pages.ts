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
  ];
  const { chats } = await person.get<{ chats: ListedChat[] }>('/api/sync?limit=200');
  const longest = chats.toSorted((a, b) => b.head_seq - a.head_seq)[0];
  if (longest === undefined) return pages;
  const unreadCase = chats.find((chat) => chat.kind === 'case' && chat.my.unread > 0);
  pages.push({ name: 'facility', path: `/chat/f-${longest.facility_id}` });
  if (unreadCase) pages.push({ name: 'case', path: `/chat/f-${unreadCase.facility_id}/c-${unreadCase.id}` });
  pages.push({ name: 'long-group', path: `/chat/f-${longest.facility_id}/c-${longest.id}` });
  return pages;
}

/** Opens a page and waits until nothing on it is still loading. */
export async function openAndSettle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
