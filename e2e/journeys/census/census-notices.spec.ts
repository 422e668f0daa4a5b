import { expect, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { count, openReport, type ReportPlace, reportOf } from '../../support/census/census-reports.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let nurse: BrowserPerson;
let owen: BrowserPerson;
let med: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  med = await reportOf(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'), 'MED 3A');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  owen = await openSignedIn(browser, wardline.baseUrl, 'owen.hart@demo.test');
});
test.afterAll(async () => {
  await Promise.all([nurse, owen].map((person) => person?.context.close()));
  await wardline?.stop();
});

/** The browser offers the installation, as it does on a visit that it thinks is worth it; not on a page with a bar at its foot. */
async function offerInstall(page: Page): Promise<void> {
  await page.evaluate(() => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => undefined,
      userChoice: Promise.resolve({ outcome: 'dismissed', platform: 'web' }),
    });
    window.dispatchEvent(event);
  });
  await expect(page.locator('.offer')).toBeAttached();
}

/** Everything at the foot of the page can be pressed: a press on what is covered is refused. */
async function expectBottomBarFree(page: Page): Promise<void> {
  for (const link of await page.locator('.bottombar a').all()) await link.click({ trial: true, timeout: 5_000 });
}

test('F-N4 PWA-3 on a phone no notice covers what a report is submitted with, nor the bar under it', async () => {
  const page = nurse.page();
  await page.setViewportSize({ width: 390, height: 844 });
  await openReport(page, med);
  await offerInstall(page);
  await expect(page.getByRole('region', { name: 'Install App' })).toBeHidden();
  await count(page, 'Admissions').fill('9');
  await page.getByRole('button', { name: 'Nothing changed' }).click();
  await expect(page.getByText('What you typed was replaced').first()).toBeVisible();
  const submit = page.getByRole('button', { name: /^Submit / }).filter({ visible: true });
  await submit.click({ trial: true, timeout: 5_000 });
  await expectBottomBarFree(page);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Count now' }).click({ timeout: 5_000 });
  await submit.click({ timeout: 5_000 });
  await expect(page.getByText('Head count not entered. Enter 0 if there were none.')).toBeVisible();
});

test('F-N4 PWA-3 on a phone the offer covers neither what signs a day nor what writes a message', async () => {
  const page = owen.page();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/census-summary');
  await offerInstall(page);
  for (const button of await page.locator('.sum-sign button:visible:enabled').all()) {
    await button.click({ trial: true, timeout: 5_000 });
  }
  await expectBottomBarFree(page);
});
