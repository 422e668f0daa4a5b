import { expect, type Page } from '@playwright/test';
import { layoutShifts, watchLayoutShifts } from '../../support/browser/layout-shift.ts';
import { type BrowserPerson, openBrowser } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { type OidcProviderProcess, startOidcProvider } from '../../support/servers/oidc-provider.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

const LABEL = 'St. Mary’s account';
/** The provider's own pages ask for a font from there; nothing of it is needed. */
const FONTS = 'https://fonts.googleapis.com';

let provider: OidcProviderProcess;
let wardline: WardlineProcess;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  provider = await startOidcProvider('doctor@demo.test');
  wardline = await startWardline({ WARDLINE_OIDC: provider.settings });
  provider.serve(wardline.baseUrl);
});
test.afterAll(async () => {
  await wardline?.stop();
  await provider?.close();
});
test.afterEach(async () => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
});

async function open(...[browser]: Parameters<typeof openBrowser>): Promise<BrowserPerson> {
  const person = await openBrowser(browser, wardline.baseUrl, { origins: [provider.issuer, FONTS] });
  await person.context.route(`${FONTS}/**`, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  person.allowConsole(/autocomplete attributes/, 'the provider’s own form');
  people.push(person);
  return person;
}

/** On the provider's own page. */
async function signInThere(page: Page): Promise<void> {
  await expect(page.getByPlaceholder('Enter any login')).toBeFocused();
  await page.keyboard.type('staff-1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('any password');
  await page.keyboard.press('Enter');
}

test('ACC-4 F-U8 by keyboard alone one signs in at the hospital’s provider, and nothing moves on the page before', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = (await open(browser, '')).page();
  await watchLayoutShifts(page);
  await page.goto('/sign-in?redirect=%2Fsettings');
  const button = page.getByRole('button', { name: `Sign in with ${LABEL}` });
  await expect(button).toBeVisible();
  const { score, moves } = await layoutShifts(page);
  // The typeface, where it comes after the first paint, makes lines of text a little narrower: 0.0001. A button that
  // comes late moves the form.
  expect(score, moves.join('\n')).toBeLessThan(0.001);
  await page.getByLabel('Email').focus();
  for (let step = 0; step < 12; step++) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await signInThere(page);
  await expect(page).toHaveURL(`${wardline.baseUrl}/settings`);
  await expect(page.getByText('doctor@demo.test').first()).toBeVisible();
  await expect(page.getByText(/^Linked .+, last used .+ You can sign in with it\.$/)).toBeVisible();
});

test('ACC-4 ACC-5 ACC-6 the provider opens a covered screen and confirms who one is, in a tab of its own', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const person = await open(browser, '');
  const page = person.page();
  await page.goto('/sign-in?redirect=%2Fsettings');
  await page.getByRole('button', { name: `Sign in with ${LABEL}` }).click();
  await signInThere(page);
  await page.getByRole('button', { name: /^Dr. Mira Okafor/ }).click();
  await page.getByRole('menuitem', { name: 'Lock screen' }).click();
  const locked = page.getByRole('heading', { name: 'Locked', level: 1 });
  await expect(locked).toBeVisible();
  await inTab(page, () => page.getByRole('button', { name: `Sign in with ${LABEL} again` }).click());
  await expect(locked).toBeHidden();

  person.allowConsole(
    /dynamically imported module|Failed to (load|fetch)/,
    'a tab that has done its work closes while it loads',
  );
  person.expectConsole(/423/, 'the password is asked for first');
  await page.getByRole('button', { name: `Unlink ${LABEL}` }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await inTab(page, () => page.getByRole('button', { name: `Sign in with ${LABEL} again` }).click());
  await page.bringToFront();
  await expect(page.getByRole('button', { name: `Link ${LABEL}` })).toBeVisible();
});

/** What a press opens beside this page; the person signs in there once more, and it closes by itself or is left. */
async function inTab(page: Page, press: () => Promise<void>): Promise<void> {
  const opened = page.waitForEvent('popup');
  await press();
  const tab = await opened;
  await signInThere(tab);
  await tab.waitForURL(`${wardline.baseUrl}/**`).catch(() => undefined);
}
