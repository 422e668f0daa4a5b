import { expect, test } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser-person.ts';
import { demoPages, openAndSettle } from '../support/demo-pages.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

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
  test(`SHELL-8 axe finds nothing on any page: ${look.name}`, async ({ browser }) => {
    const guest = await openBrowser(browser, wardline.baseUrl, look);
    const found: Record<string, string[]> = {};
    for (const path of ['/sign-in', '/nowhere', '/403']) {
      await openAndSettle(guest.page(), path);
      found[path] = await axeViolations(guest.page());
    }
    const nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', look);
    for (const { name, path } of await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'))) {
      await openAndSettle(nurse.page(), path);
      found[name] = await axeViolations(nurse.page());
    }
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    expect([...guest.complaints(), ...nurse.complaints()]).toEqual([]);
    await guest.context.close();
    await nurse.context.close();
  });
}

test('SHELL-8 no page scrolls sideways at 320 px', async ({ browser }) => {
  const nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  const page = nurse.page();
  await page.setViewportSize({ width: 320, height: 640 });
  const wide: string[] = [];
  for (const { name, path } of await demoPages(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'))) {
    await openAndSettle(page, path);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) wide.push(`${name}: ${overflow} px`);
  }
  expect(wide).toEqual([]);
  await nurse.context.close();
});
