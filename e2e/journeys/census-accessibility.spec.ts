import { expect, type Page, test } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { signIn } from '../support/browser-person.ts';
import { openReport, passDeadline, reportOf } from '../support/census-reports.ts';
import { openAndSettle } from '../support/demo-pages.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
  await passDeadline(wardline);
});
test.afterAll(() => wardline.stop());

/** What axe finds once the dialog is open; closes it again. */
async function inDialog(page: Page, open: () => Promise<unknown>): Promise<string[]> {
  await open();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const found = await axeViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  return found;
}

const LOOKS = [
  { name: 'light, desktop', dark: false, phone: false },
  { name: 'dark, phone', dark: true, phone: true },
] as const;

for (const look of LOOKS) {
  test(`SHELL-8 CEN-1 CEN-5 CEN-6 CEN-8 axe finds nothing on the census pages with their dialogs open: ${look.name}`, async ({
    browser,
  }) => {
    const officer = await signIn(browser, wardline.baseUrl, 'officer@demo.test', look);
    const nurse = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', look);
    const [page, hers] = [officer.page(), nurse.page()];
    const found: Record<string, string[]> = {};

    await openAndSettle(page, '/census');
    await expect(page.getByText('ICU is missing.', { exact: true })).toBeVisible();
    found['board'] = await axeViolations(page);

    await openAndSettle(page, '/census-summary');
    const strip = page.getByRole('list', { name: 'Reports' });
    found['review'] = await inDialog(page, async () => {
      await strip.getByRole('button', { name: /^SUR 2B/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click();
      await expect(page.getByLabel('What is to be corrected')).toBeVisible();
    });
    found['import'] = await inDialog(page, async () => {
      await page.getByRole('button', { name: 'Files' }).click();
      await page.getByRole('menuitem', { name: 'Import a file' }).click();
    });

    const place = await reportOf(await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'), 'MED 3A');
    await openReport(hers, place);
    // As tall as the report: a field half under the bar that floats over it is no small target.
    await hers.setViewportSize({ width: look.phone ? 390 : 1440, height: 2400 });
    found['report'] = await axeViolations(hers);
    found['another report'] = await inDialog(hers, () => hers.getByRole('button', { name: 'Another report' }).click());
    await openAndSettle(hers, '/census-unit?view=all');
    await expect(hers.getByRole('grid')).toBeVisible();
    found['grid'] = await axeViolations(hers);

    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    expect([officer, nurse].flatMap((person) => person.complaints())).toEqual([]);
    await Promise.all([officer, nurse].map(({ context }) => context.close()));
  });
}
