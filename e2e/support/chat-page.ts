import { expect, type Locator, type Page } from '@playwright/test';

/** The box one writes in. */
export function composer(page: Page): Locator {
  return page.getByPlaceholder('Type your message here…');
}

/** The messages of the open chat. */
export function timeline(page: Page): Locator {
  return page.getByRole('log');
}

/** The row of the message with this text. */
export function messageRow(page: Page, text: string): Locator {
  return timeline(page).getByRole('article').filter({ hasText: text });
}

/** Opens a chat by its address and waits until one can write in it. */
export async function openChat(page: Page, path: string): Promise<Page> {
  await page.goto(path);
  await expect(composer(page)).toBeEditable();
  return page;
}

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** The texts with this prefix as they stand in the chat, top to bottom. */
export async function shownTexts(page: Page, prefix: string): Promise<string[]> {
  const text = await timeline(page).innerText();
  return text.split('\n').filter((line) => line.startsWith(prefix));
}

/** The row of a chat in the list beside the chat. */
export function listRow(page: Page, name: string): Locator {
  return page.getByRole('list', { name: 'Chats' }).getByRole('link').filter({ hasText: name });
}
