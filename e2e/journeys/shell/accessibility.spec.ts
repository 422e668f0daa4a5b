import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { isStatePainted } from '../../support/browser/painted.ts';
import { openBrowser, openSignedIn } from '../../support/browser-person.ts';
import { demoPages, GUEST_PAGES, openAndSettle, UNKNOWN_PATH } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { isNightly, NIGHTLY, nightlyUnless } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

/** Those that people spend their day on; the nightly run looks at all. */
const USUAL_PAGES = ['landing', 'sign-in', 'dashboard', 'chats', 'case', 'settings', 'census', 'census-unit'];
const isLookedAt = ({ name }: { readonly name: string }) => isNightly || USUAL_PAGES.includes(name);

const LOOKS = [
  { name: 'light, desktop', dark: false, phone: false },
  { name: 'dark, phone', dark: true, phone: true },
] as const;

for (const look of LOOKS) {
  test(`SHELL-8 axe finds nothing on any page: ${look.name}`, nightlyUnless(look.dark), async ({ browser }) => {
    const guest = await openBrowser(browser, wardline.baseUrl, look);
    if (isNightly) guest.expectConsole(failedLoad(404, UNKNOWN_PATH), 'one of the pages is that of an unknown address');
    const found: Record<string, string[]> = {};
    for (const { name, path } of GUEST_PAGES.filter(isLookedAt)) {
      await openAndSettle(guest.page(), path);
      found[name] = await axeViolations(guest.page());
    }
    const people = [];
    // Of the two the officer sees more kinds of pages.
    const all = ['nurse@demo.test', 'officer@demo.test', 'operator@demo.test'];
    for (const email of isNightly ? all : ['officer@demo.test']) {
      const person = await openSignedIn(browser, wardline.baseUrl, email, look);
      people.push(person);
      const pages = await demoPages(await signInOverHttp(wardline.baseUrl, email));
      for (const { name, path } of pages.filter(isLookedAt)) {
        await openAndSettle(person.page(), path);
        found[`${email} ${name}`] = await axeViolations(person.page());
      }
    }
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    await Promise.all([guest, ...people].map(({ context }) => context.close()));
  });
}

test('SHELL-8 no page scrolls sideways at 320 px, and every button of it is in view', { tag: NIGHTLY }, async ({
  browser,
}) => {
  const guest = await openBrowser(browser, wardline.baseUrl, { phone: true });
  guest.expectConsole(failedLoad(404, UNKNOWN_PATH), 'one of the pages is that of an unknown address');
  const visits = [{ person: guest, pages: GUEST_PAGES }];
  for (const email of ['nurse@demo.test', 'admin@demo.test']) {
    const person = await openSignedIn(browser, wardline.baseUrl, email, { phone: true });
    visits.push({ person, pages: await demoPages(await signInOverHttp(wardline.baseUrl, email)) });
  }
  const wide: string[] = [];
  for (const { person, pages } of visits) {
    await person.page().setViewportSize({ width: 320, height: 640 });
    for (const { name, path } of pages) {
      await openAndSettle(person.page(), path);
      wide.push(...(await beyondTheEdge(person.page())).map((what) => `${name}: ${what}`));
    }
  }
  expect(wide).toEqual([]);
  await Promise.all(visits.map(({ person }) => person.context.close()));
});

/** How far the page goes sideways, and the buttons that are cut off at its edge where nothing scrolls to them. */
async function beyondTheEdge(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const root = document.documentElement;
    const isScrolledTo = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || isScrolledTo(element.parentElement));
    const cut = [...document.querySelectorAll('main button')].filter(
      (button) => button.getBoundingClientRect().right > root.clientWidth && !isScrolledTo(button.parentElement),
    );
    const sideways = root.scrollWidth - root.clientWidth;
    return [...(sideways > 0 ? [`${sideways} px`] : []), ...cut.map((button) => `${button.textContent} is cut off`)];
  });
}

/** What is cut off or sticks out: the page sideways, or words in a box that shows only a part of them. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const root = document.documentElement;
    const sideways = root.scrollWidth - root.clientWidth;
    const boxes = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, button, a, label, p, td, th, dt, dd')];
    const cut = boxes.filter((box) => {
      const { overflowY, webkitLineClamp } = getComputedStyle(box);
      // A line clamp says by its dots that there is more; what only a screen reader says has no size.
      if (overflowY === 'visible' || webkitLineClamp !== 'none' || box.clientHeight < 2) return false;
      return box.scrollHeight > box.clientHeight + 2;
    });
    return [
      // Half a pixel is rounded up.
      ...(sideways > 1 ? [`${sideways} px sideways`] : []),
      ...cut.map((box) => `${box.tagName.toLowerCase()}.${box.className}: ${box.textContent?.slice(0, 40)}`),
    ];
  });
}

for (const phone of [true, false]) {
  test(`F-C4 SHELL-8 at 200 % text nothing is cut off and no page scrolls sideways: ${phone ? 'phone' : 'desktop'}`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone });
    const page = nurse.page();
    const all = await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'));
    const found: string[] = [];
    for (const { name, path } of all.filter(isLookedAt)) {
      await openAndSettle(page, path);
      // As a person sets it in the browser: every rem is twice as large.
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('28px');
      found.push(...(await cutOff(page)).map((what) => `${name}: ${what}`));
    }
    expect(found).toEqual([]);
    await nurse.context.close();
  });
}

test('F-U8 SHELL-8 where the system chooses the colours the legend of the board and the open page are seen', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const page = nurse.page();
  await page.emulateMedia({ forcedColors: 'active' });
  await openAndSettle(page, '/census');
  for (const name of ['is-occupied', 'is-blocked']) {
    expect(await isStatePainted(page.locator(`.bd-swatch.${name}`), { class: name }), name).toBe(true);
  }
  const current = page.locator('.nav a[aria-current="page"]').first();
  expect(await isStatePainted(current, { attribute: 'aria-current' })).toBe(true);
  await nurse.context.close();
});
