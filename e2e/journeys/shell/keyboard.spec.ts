import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, openBrowser, openSignedIn, signIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat } from '../../support/chat-page.ts';
import { demoPages, openAndSettle } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

const NURSE = 'nurse@demo.test';

let wardline: WardlineProcess;
let person: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await person?.context.close();
  person = undefined;
});

interface Focus {
  readonly name: string;
  readonly isMarked: boolean;
}

/** What has the focus, and whether an eye can tell: an outline, a shadow or a border that it has not without the focus. */
async function focusOf(page: Page): Promise<Focus> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: 'nothing', isMarked: false };
    const look = (each: Element): string => {
      const style = getComputedStyle(each);
      const parts = [style.boxShadow, style.borderColor, style.backgroundColor, style.textDecorationLine];
      return [style.outlineStyle === 'none' ? 'none' : `${style.outlineWidth} ${style.outlineColor}`, ...parts].join(
        ';',
      );
    };
    // A field may be marked on the box around it, a checkbox on the drawing beside it.
    const around = [element, element.parentElement, element.nextElementSibling].filter((each) => each !== null);
    const focused = around.map(look);
    const wasSmooth = around.map((each) => (each instanceof HTMLElement ? each.style.transition : ''));
    for (const each of around) if (each instanceof HTMLElement) each.style.transition = 'none';
    element.blur();
    const bare = around.map(look);
    element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
    around.forEach((each, index) => {
      if (each instanceof HTMLElement) each.style.transition = wasSmooth[index] ?? '';
    });
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return { name: name || element.tagName, isMarked: isInView && focused.some((mark, index) => mark !== bare[index]) };
  });
}

/** Presses Tab (or Shift+Tab) until something with this name has the focus; every stop on the way must be visible. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
  const stops: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    const accessible = await page.evaluate(() => {
      const element = document.activeElement;
      const labels =
        element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null;
      return `${element?.getAttribute('aria-label') ?? ''} ${labels?.[0]?.textContent ?? ''} ${element?.textContent ?? ''}`;
    });
    stops.push(accessible.trim());
    if (name.test(accessible)) return stops;
  }
  throw new Error(`Nothing called ${name} is reached by ${key}: ${stops.join(' | ')}`);
}

async function expectVisibleFocus(page: Page): Promise<void> {
  const { name, isMarked } = await focusOf(page);
  expect(isMarked, `the focus on '${name}' can be seen`).toBe(true);
}

test('SHELL-7 SHELL-8 sign in, open a chat, write, change the colours and sign out: by keyboard alone, focus always seen', async ({
  browser,
}) => {
  person = await openBrowser(browser, wardline.baseUrl);
  const page = person.page();
  await page.goto('/sign-in');
  await expect(page.getByLabel('Email')).toBeVisible();
  await tabTo(page, /Email/);
  await expectVisibleFocus(page);
  await page.keyboard.type('doctor@demo.test');
  await tabTo(page, /^\s*Password/);
  await expectVisibleFocus(page);
  await page.keyboard.type(DEMO_PASSWORD);
  await tabTo(page, /Show password/);
  await expectVisibleFocus(page);
  await tabTo(page, /my own device/);
  await expectVisibleFocus(page);
  await tabTo(page, /^\s*Sign in/);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeFocused();

  // The skip link is the first stop from the top of a page.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await tabTo(page, /Skip to content/);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const unread = page
    .getByRole('region', { name: /Unread chats/ })
    .getByRole('link')
    .nth(1);
  const name = (await unread.locator('.lrow-title').innerText()).trim();
  await tabTo(page, new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  // Where a keyboard is at hand one can write at once.
  await expect(composer(page)).toBeFocused();
  await expectVisibleFocus(page);
  await page.keyboard.type('Written without a mouse');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('on two lines');
  await page.keyboard.press('Enter');
  await expect(messageRow(page, 'Written without a mouse')).toContainText('on two lines');
  await expect(composer(page)).toHaveValue('');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type('Sent by the button');
  await tabTo(page, /Send prompt/);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(messageRow(page, 'Sent by the button')).toBeVisible();

  // Back through the chat into the list, to another chat.
  await composer(page).focus();
  await tabTo(page, /^Messages/, 'Shift+Tab');
  await expectVisibleFocus(page);
  await page.keyboard.press('PageUp');
  await tabTo(page, /people in this chat/, 'Shift+Tab');
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /people in this chat/ })).toBeFocused();
  await tabTo(page, /Ward coordination/, 'Shift+Tab');
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ward coordination', level: 2 })).toBeVisible();

  await composer(page).focus();
  await tabTo(page, /Dr\. Mira Okafor.*Medical registrar/, 'Shift+Tab');
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.type('Dark');
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');
  if ((await page.getByRole('menu').count()) === 0) await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('MODE-1 the choice is there before the first paint, and other tabs and the system are followed', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, 'doctor@demo.test');
  const page = person.page();
  const other = await person.context.newPage();
  await other.goto('/chats');
  await expect(other.locator('html')).toHaveAttribute('data-mode', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light');

  await page.getByRole('button', { name: /^Dr\. Mira Okafor/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  for (const tab of [page, other]) await expect(tab.locator('html')).toHaveAttribute('data-mode', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('wardline-color-mode'))).toBe('dark');

  // What the root said when the body came to be, and at every frame until the page was there.
  await other.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      if (document.body)
        seen.push(`${document.documentElement.dataset['mode']} ${getComputedStyle(document.body).backgroundColor}`);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
    const frame = () => {
      look();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  const seen = await other.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)]);
  expect(seen.filter((line) => !line.startsWith('dark '))).toEqual([]);
  const painted = () => other.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
  await expect.poll(painted).toBe(1);
});

test('SHELL-8 on a phone every control is at least 44 px in both directions', { tag: NIGHTLY }, async ({ browser }) => {
  person = await openSignedIn(browser, wardline.baseUrl, NURSE, { phone: true });
  const page = person.page();
  const small: string[] = [];
  for (const { name, path } of await demoPages(await signInOverHttp(wardline.baseUrl, NURSE))) {
    await openAndSettle(page, path);
    const found = await page.evaluate(() => {
      const controls = document.querySelectorAll('a[href], button, input, select, textarea, [role="button"], summary');
      return [...controls].flatMap((control) => {
        // A control that is only said is reached by what stands for it, and a box to tick by its words too: the label.
        const isHidden = control.matches('.sr, .skip');
        const hasText = isHidden || control.matches('[type="radio"], [type="checkbox"]');
        const target = hasText && control instanceof HTMLInputElement ? control.labels?.[0] : control;
        if (!target || (isHidden && target === control)) return [];
        const box = target.getBoundingClientRect();
        // What a finger hits may reach beyond what is seen.
        const beyond = getComputedStyle(target, '::after');
        const reach = (side: string) => (beyond.position === 'absolute' ? Number.parseFloat(side) || 0 : 0);
        const [width, height] = [Math.max(box.width, reach(beyond.width)), Math.max(box.height, reach(beyond.height))];
        const isShown = box.width > 0 && box.height > 0 && getComputedStyle(target).visibility !== 'hidden';
        // A link in the middle of a sentence is excepted by WCAG 2.5.8.
        const isInText = target.matches('.m-text a');
        if (!isShown || isInText || (width >= 43.5 && height >= 43.5)) return [];
        const text = target.getAttribute('aria-label') ?? target.textContent?.trim().slice(0, 40);
        return [`${text} ${Math.round(width)}×${Math.round(height)}`];
      });
    });
    small.push(...found.map((line) => `${name}: ${line}`));
  }
  expect(small).toEqual([]);
});

test('NAV-9 on a phone there is one column; the arrow leads back to the list at the place where one left it', async ({
  browser,
}) => {
  person = await openSignedIn(browser, wardline.baseUrl, NURSE, { phone: true });
  const page = person.page();
  const pages = await demoPages(await signInOverHttp(wardline.baseUrl, NURSE));
  const facility = pages.find(({ name }) => name === 'facility')?.path ?? '';
  await openAndSettle(page, facility);
  const list = page.getByRole('list', { name: 'Chats' });
  await expect(list).toBeVisible();
  const box = page.locator('.pane-list .pane-scroll');
  await box.hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(200);
  const before = await box.evaluate((element) => element.scrollTop);
  const inView = await list.getByRole('link').evaluateAll((links) => {
    const row = links.find((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return top > 250 && bottom < window.innerHeight - 100;
    });
    return row?.querySelector('.lrow-title')?.textContent ?? '';
  });
  await listRow(page, inView).first().click();
  await expect(page.getByRole('heading', { name: inView, level: 2 })).toBeVisible();
  await expect(list).toBeHidden();
  await page.getByRole('link', { name: 'Back to chats' }).click();
  await expect(list).toBeVisible();
  await expect(page.getByRole('heading', { name: inView, level: 2 })).toBeHidden();
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(before);
});

test('SHELL-8 on a phone one can write and send with the thumb, and nothing scrolls sideways', async ({ browser }) => {
  person = await openSignedIn(browser, wardline.baseUrl, NURSE, { phone: true });
  const page = person.page();
  const pages = await demoPages(await signInOverHttp(wardline.baseUrl, NURSE));
  await openChat(page, pages.find(({ name }) => name === 'case')?.path ?? '');
  await composer(page).fill('Sent with the thumb');
  await page.getByRole('button', { name: 'Send prompt' }).click();
  await expect(messageRow(page, 'Sent with the thumb')).toBeInViewport();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
