import { expect, type Locator, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { count, openReport, type ReportPlace, reportOf } from '../../support/census/census-reports.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

const SETTINGS = '/census?view=settings';

let wardline: WardlineProcess;
let admin: BrowserPerson;
let nurse: BrowserPerson;
let today: ReportPlace;
let tomorrow: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const ana = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  today = await reportOf(ana, 'MED 3A');
  tomorrow = await reportOf(ana, 'MED 3A', -1);
  admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await Promise.all([admin, nurse].map((person) => person?.context.close()));
  await wardline?.stop();
});

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openUnit(page: Page, act: 'Edit' | 'View' = 'Edit'): Promise<Locator> {
  await page.getByRole('button', { name: `${act} MED 3A` }).click();
  const dialog = page.getByRole('dialog', { name: 'MED 3A' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('CEN-3 3.3 the admin finds the settings on the board, changes the grace, and it is there after a reload', async () => {
  const page = admin.page();
  await openAndSettle(page, '/census');
  await page.getByRole('link', { name: 'Census settings' }).click();
  await expect(page).toHaveURL(/\/census\?view=settings$/);
  await page.getByLabel('Grace, minutes').fill('90');
  await expect(part(page, 'Census hour')).toContainText(
    /Counts from \S+ \S+ \S+( \d{4})?; earlier days keep their clock\./,
  );
  await page.getByRole('button', { name: 'Save census hour' }).click();
  await expect(part(page, 'Census hour').getByText('Saved.')).toBeVisible();
  await openAndSettle(page, SETTINGS);
  await expect(page.getByLabel('Grace, minutes')).toHaveValue('90');
  await expect(part(page, 'Census hour')).toContainText(
    /This clock counts from \S+ \S+ \S+; earlier days keep theirs\./,
  );
});

test('CEN-3 beds and people that the admin changes are those of the unit’s report of the later date, and not before', async () => {
  const page = admin.page();
  await openAndSettle(page, SETTINGS);
  const dialog = await openUnit(page);
  await dialog.getByLabel('Search people to add').fill('kofi');
  await dialog.getByRole('checkbox', { name: /^Kofi Danso/ }).check();
  await dialog.getByRole('button', { name: 'Save people' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  await dialog.getByLabel('Other beds from').fill(tomorrow.date);
  await dialog.getByLabel('Physical').fill('29');
  await dialog.getByLabel('Staffed').fill('25');
  await dialog.getByLabel('Reason').fill('Bay C is painted');
  await dialog.getByRole('button', { name: 'Save beds' }).click();
  await expect(dialog.getByRole('table', { name: 'Beds from date to date' })).toContainText('Bay C is painted');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();

  const hers = nurse.page();
  await openReport(hers, tomorrow);
  await expect(hers.getByText('of 29 set up')).toBeVisible();
  await expect(count(hers, 'Staffed beds')).toHaveValue('25');
  await openReport(hers, today);
  await expect(hers.getByText('of 30 set up')).toBeVisible();
  const kofi = await signInOverHttp(wardline.baseUrl, 'kofi.danso@demo.test');
  const owed = await kofi.get<{ data: { unit_code: string }[] }>('/api/census/owed');
  expect(owed.data.map(({ unit_code }) => unit_code)).toContain('MED 3A');
});

test('CEN-3 CEN-R13 two people change the settings at once: the later one is told who changed what, and loses nothing', async () => {
  const page = admin.page();
  await openAndSettle(page, SETTINGS);
  await page.getByLabel('High, %').fill('95');
  const other = await signInOverHttp(wardline.baseUrl, 'admin@demo.test');
  const address = `/api/census/facilities/${today.facility}/settings`;
  const { version } = await other.get<{ version: number }>(address);
  expect((await other.send('PATCH', address, { version, lock_after_days: 21 }))?.status).toBe(200);
  admin.expectConsole(failedLoad(409, '/api/census/facilities/{facility}/settings'), 'somebody else saved first');
  await page.getByRole('button', { name: 'Save occupancy' }).click();
  await expect(part(page, 'Occupancy').getByRole('alert')).toHaveText(
    'Marit Solheim saved first. Lock after: 14 → 21. What you entered is still here: check it, then save again.',
  );
  await expect(page.getByLabel('High, %')).toHaveValue('95');
  await expect(page.getByLabel('Lock after, days')).toHaveValue('21');
  await page.getByRole('button', { name: 'Save occupancy' }).click();
  await expect(part(page, 'Occupancy').getByText('Saved.')).toBeVisible();
  const stored = await other.get<{ bands: unknown; lock_after_days: number }>(address);
  expect(stored).toMatchObject({ bands: { target: 85, high: 95, full: 100 }, lock_after_days: 21 });
});

test('CEN-3 a link, and Back, ask before something unsaved is lost', { tag: NIGHTLY }, async () => {
  const page = admin.page();
  await openAndSettle(page, '/census');
  await page.getByRole('link', { name: 'Census settings' }).click();
  await page.getByLabel('Boarding from, hours').fill('6');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Logs' }).click();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/view=settings$/);
  await expect(page.getByLabel('Boarding from, hours')).toHaveValue('6');
  await page.goBack();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/view=settings$/);
  await expect(page.getByLabel('Boarding from, hours')).toHaveValue('6');
  await page.goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/census$/);
});

test('CEN-3 3.7 a nurse reads all of it and changes none of it', async () => {
  const page = nurse.page();
  await openAndSettle(page, SETTINGS);
  await expect(
    page.getByText(
      'You can read these settings. Changing them needs the permission to set up units, beds and the census.',
    ),
  ).toBeVisible();
  await expect(page.getByLabel('Grace, minutes')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Add an email' })).toBeDisabled();
  const dialog = await openUnit(page, 'View');
  await expect(dialog.getByRole('list', { name: 'Who reports' })).toContainText('Kofi Danso');
  await expect(dialog.getByLabel('HSLOC code')).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Save beds' })).toHaveCount(0);
});

const LOOKS = [
  { name: 'light, desktop', dark: false, phone: false },
  { name: 'dark, phone', dark: true, phone: true },
] as const;

for (const look of LOOKS) {
  test(`SHELL-8 CEN-3 axe finds nothing on the census settings, read and changed, nor on an open unit: ${look.name}`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    const found: Record<string, string[]> = {};
    for (const who of ['admin', 'nurse'] as const) {
      const person = await openSignedIn(browser, wardline.baseUrl, `${who}@demo.test`, look);
      const page = person.page();
      await openAndSettle(page, SETTINGS);
      found[`${who} page`] = await axeViolations(page);
      const dialog = await openUnit(page, who === 'admin' ? 'Edit' : 'View');
      if (who === 'admin') {
        await dialog.getByLabel('Search people to add').fill('a');
        await expect(dialog.getByRole('list', { name: 'Found' })).toBeVisible();
        await dialog.getByLabel('Staffed').fill('1000');
        await dialog.getByRole('button', { name: 'Save beds' }).click();
        await expect(dialog.getByText('Choose the first date.')).toBeVisible();
      }
      found[`${who} unit`] = await axeViolations(page);
      if (look.phone) await page.setViewportSize({ width: 320, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await person.context.close();
    }
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
  });
}
