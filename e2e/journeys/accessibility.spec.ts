import { expect, test } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser-person.ts';
import { demoPages, GUEST_PAGES, openAndSettle } from '../support/demo-pages.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { NIGHTLY, nightlyUnless } from '../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

const LOOKS = [
  { name: 'light, desktop', dark: false, phone: false },
  { name: 'dark, phone', dark: true, phone: true },
] as const;

for (const look of LOOKS) {
  test(`SHELL-8 axe finds nothing on any page: ${look.name}`, nightlyUnless(look.dark), async ({ browser }) => {
    const guest = await openBrowser(browser, wardline.baseUrl, look);
    const found: Record<string, string[]> = {};
    for (const { name, path } of GUEST_PAGES) {
      await openAndSettle(guest.page(), path);
      found[name] = await axeViolations(guest.page());
    }
    const people = [];
    for (const email of ['nurse@demo.test', 'officer@demo.test']) {
      const person = await signIn(browser, wardline.baseUrl, email, look);
      people.push(person);
      for (const { name, path } of await demoPages(await signInOverHttp(wardline.baseUrl, email))) {
        await openAndSettle(person.page(), path);
        found[`${email} ${name}`] = await axeViolations(person.page());
      }
    }
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    expect([guest, ...people].flatMap((person) => person.complaints())).toEqual([]);
    await Promise.all([guest, ...people].map(({ context }) => context.close()));
  });
}

test('SHELL-8 no page scrolls sideways at 320 px', { tag: NIGHTLY }, async ({ browser }) => {
  const nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  const page = nurse.page();
  await page.setViewportSize({ width: 320, height: 640 });
  const guest = await openBrowser(browser, wardline.baseUrl, { phone: true });
  await guest.page().setViewportSize({ width: 320, height: 640 });
  const mine = await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'));
  const wide: string[] = [];
  for (const [visited, pages] of [
    [guest.page(), GUEST_PAGES],
    [page, mine],
  ] as const) {
    for (const { name, path } of pages) {
      await openAndSettle(visited, path);
      const overflow = await visited.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) wide.push(`${name}: ${overflow} px`);
    }
  }
  expect(wide).toEqual([]);
  await Promise.all([guest, nurse].map(({ context }) => context.close()));
});
