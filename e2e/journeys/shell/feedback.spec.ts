import { expect, type Page, type Route } from '@playwright/test';
import { brokenChunk } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, signIn } from '../../support/browser-person.ts';
import { composer, openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase, makeGroup } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { chunkOf } from '../../support/servers/deploying-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ timeout: 120_000 });

const DOCTOR = 'doctor@demo.test';

let wardline: WardlineProcess;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let person: BrowserPerson | undefined;

test.beforeAll(async () => {
  wardline = await startWardline();
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, DOCTOR);
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await person?.context.close();
  person = undefined;
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true });
const toasts = (page: Page) => page.locator('.toast[data-state="open"]');
const bar = (page: Page) => page.locator('.loading-bar');

/** Loads the page anew and waits until it hears what concerns the person: nothing before that is told by a toast. */
async function listen(page: Page): Promise<void> {
  // Away first, so that no socket of the page before is taken for that of the next.
  await page.goto('about:blank');
  const isHeard = new Promise<void>((resolve) => {
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (/subscription_succeeded.*App\.Models\.User/.test(String(payload))) resolve();
      });
    });
  });
  await page.goto('/dashboard');
  await isHeard;
}

/** Puts the doctor into a new chat, of which their page tells them by a toast. */
async function addToChat(title: string): Promise<string> {
  return (await makeGroup(nurseOverHttp, [doctorOverHttp], title)).path;
}

test('TOAST-1 toasts stand over the bottom bar, at most five; F8 leads to them and holds them; one leads on', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, DOCTOR, { phone: true });
  const page = person.page();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await listen(page);
  const paths = [await addToChat('Handover 1')];
  await expect(toasts(page)).toHaveCount(1);
  await expect(toasts(page)).toContainText('You were added to Handover 1');
  await page.keyboard.press('F8');
  const region = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(region.getByRole('list')).toBeFocused();
  for (let n = 2; n <= 6; n++) paths.push(await addToChat(`Handover ${n}`));
  await expect(toasts(page).last()).toContainText('Handover 6');
  await expect(toasts(page)).toHaveCount(5);
  await expect(page.getByText('You were added to Handover 1')).toHaveCount(0);

  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const last = await toasts(page).last().boundingBox();
  const bottomBar = await page.getByRole('navigation', { name: 'Pages, bottom' }).boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((bottomBar?.y ?? 0) - 16);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(toasts(page)).toHaveCount(4);
  await toasts(page).filter({ hasText: 'Handover 4' }).getByRole('button', { name: 'Open' }).click();
  await expect(page).toHaveURL(wardline.baseUrl + paths[3]);
  await expect(composer(page)).toBeEditable();
});

test('TOAST-1 on a wide screen a toast is 24rem wide at the bottom right, and its cross takes it away', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, DOCTOR);
  const page = person.page();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await listen(page);
  await addToChat('Bed meeting');
  const toast = toasts(page).filter({ hasText: 'Bed meeting' });
  await toast.hover();
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const box = await toast.boundingBox();
  expect(box?.width).toBe(384);
  expect([(box?.x ?? 0) + 384 + 16, (box?.y ?? 0) + (box?.height ?? 0) + 16]).toEqual([1440, 900]);
  await toast.getByRole('button', { name: 'Close' }).click();
  await expect(toasts(page)).toHaveCount(0);

  await addToChat('Night team');
  await toasts(page).getByRole('button', { name: 'Open' }).click();
  await expect(composer(page)).toBeEditable();
  await addToChat('Bed meeting 2');
  const over = toasts(page).filter({ hasText: 'Bed meeting 2' });
  await over.hover();
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const [above, form] = [await over.boundingBox(), await page.locator('.composer').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0), 'what a page is worked with stays free').toBeLessThan(form?.y ?? 0);
});

test('OVERLAY-1 Back closes the top dialog and nothing else, the focus returns, and Forward opens none', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const page = person.page();
  await pages(page).getByRole('link', { name: 'Chats' }).click();
  await expect(heading(page, 'Chats')).toBeVisible();
  const opener = page.getByRole('button', { name: 'New chat' }).first();
  const newChat = page.getByRole('dialog', { name: 'New chat' });
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await opener.click();
  await expect(newChat).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();

  await page.goBack();
  await expect(palette).toHaveCount(0);
  await expect(newChat).toBeVisible();
  await page.goBack();
  await expect(newChat).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page).toHaveURL(/\/chats$/);
  await page.goForward();
  await expect(page).toHaveURL(/\/chats$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(heading(page, 'Chats')).toBeVisible();

  await opener.click();
  await expect(newChat).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(newChat).toHaveCount(0);
  await expect(opener).toBeFocused();
  // Closed otherwise than by Back, it has left no entry behind.
  await page.goBack();
  await expect(heading(page, 'Dashboard')).toBeVisible();
});

test('OVERLAY-1 a page opened by its address keeps its dialogs out of the way back, over a reload too', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const chat = await makeCase(nurseOverHttp, [doctorOverHttp], 'Deep Linked');
  person = await signIn(browser, wardline.baseUrl, DOCTOR);
  const page = await openChat(person.page(), chat.path);
  const opener = page.getByRole('button', { name: /people in this chat/ });
  const people = page.getByRole('dialog', { name: /people in this chat/ });
  await opener.click();
  await expect(people).toBeVisible();
  await page.goBack();
  await expect(people).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page).toHaveURL(wardline.baseUrl + chat.path);

  await opener.click();
  await expect(people).toBeVisible();
  await page.reload();
  await expect(composer(page)).toBeEditable();
  await expect(people).toHaveCount(0);
  await page.goBack();
  await expect(heading(page, 'Dashboard')).toBeVisible();
});

type Answer = 'continue' | 'abort';

/** Holds the requests for an address until it is said what becomes of them, and of all that follow. */
async function hold(page: Page, address: string): Promise<(how: Answer) => void> {
  const held: Route[] = [];
  let answer: Answer | null = null;
  // A page that was left has no use for its answer any more.
  const give = (route: Route, how: Answer) => void route[how]().catch(() => undefined);
  await page.route(`**${address}`, (route) => {
    if (answer === null) held.push(route);
    else give(route, answer);
  });
  return (how) => {
    answer = how;
    for (const route of held.splice(0)) give(route, how);
  };
}

/** Also what stands for some frames only, which looking again and again could miss on a busy machine. */
function untilShown(page: Page, selector: string): Promise<void> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(wanted)) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { attributes: true, childList: true, subtree: true });
      }),
    selector,
  );
}

test('LOAD-1 the bar shows that a page is on its way, and is full when it stands', { tag: NIGHTLY }, async ({
  browser,
}) => {
  person = await signIn(browser, wardline.baseUrl, DOCTOR, { hasNoWorker: true });
  const page = person.page();
  const letGo = await hold(page, await chunkOf('_in/chats'));
  // Anew, so that nothing of the page has been fetched ahead.
  await page.reload();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await expect(bar(page)).toHaveAttribute('data-state', 'indeterminate');
  await expect(bar(page)).not.toHaveClass(/is-visible/);
  await pages(page).getByRole('link', { name: 'Chats' }).click();
  await expect(bar(page)).toHaveAttribute('data-state', 'loading');
  await expect(bar(page)).toHaveClass(/is-visible/);
  expect(await bar(page).evaluate((line) => getComputedStyle(line).height)).toBe('3px');
  await expect(page.getByRole('status').filter({ hasText: 'Loading the page' })).toHaveCount(1);
  const full = untilShown(page, '.loading-bar.is-visible[data-state="complete"]');
  letGo('continue');
  await full;
  await expect(heading(page, 'Chats')).toBeVisible();
  await expect(bar(page)).not.toHaveClass(/is-error/);
  await expect(bar(page)).toHaveAttribute('data-state', 'indeterminate');
});

test('LOAD-1 the bar has the error colour when the navigation failed', { tag: NIGHTLY }, async ({ browser }) => {
  person = await signIn(browser, wardline.baseUrl, DOCTOR, { hasNoWorker: true });
  const page = person.page();
  const chunk = await chunkOf('_in/chats');
  for (const line of brokenChunk(chunk, 'net::ERR_FAILED'))
    person.expectConsole(line, 'the chunk is held back, then cut off');
  const letGo = await hold(page, chunk);
  await page.reload();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  // PWA-6 has just loaded this path anew, so that the failure is shown.
  await page.evaluate(() => {
    sessionStorage.setItem('wardline:reload', JSON.stringify({ path: '/chats', expires: Date.now() + 60_000 }));
  });
  await pages(page).getByRole('link', { name: 'Chats' }).click();
  await expect(bar(page)).toHaveAttribute('data-state', 'loading');
  const colour = () => bar(page).evaluate((line) => getComputedStyle(line).backgroundColor);
  const usual = await colour();
  const failed = untilShown(page, '.loading-bar.is-visible.is-error[data-state="complete"]');
  letGo('abort');
  await failed;
  await expect(heading(page, 'Oops! An error occurred.')).toBeVisible();
  expect(await colour()).not.toBe(usual);
});
