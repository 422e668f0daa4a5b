import { expect, type Page } from '@playwright/test';
import { v7 as newId } from 'uuid';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { openSignedIn } from '../../support/browser-person.ts';
import {
  apiPath,
  count,
  openReport,
  passDeadline,
  reportOf,
  writeReport,
} from '../../support/census/census-reports.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { isNightly, NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });

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
  test(`SHELL-8 CEN-1 CEN-5 CEN-6 CEN-8 axe finds nothing on the census pages with their dialogs open: ${look.name}`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    const officer = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test', look);
    const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', look);
    const [page, hers] = [officer.page(), nurse.page()];
    const found: Record<string, string[]> = {};

    await openAndSettle(page, '/census');
    await expect(page.getByText('Missing', { exact: true }).first()).toBeVisible();
    found['board'] = await axeViolations(page);

    await openAndSettle(page, '/census-summary');
    const strip = page.getByRole('list', { name: 'Reports' });
    found['review'] = await inDialog(page, async () => {
      await strip.getByRole('button', { name: /^SUR 2B/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click();
      await expect(page.getByLabel('What needs correcting')).toBeVisible();
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
    await Promise.all([officer, nurse].map(({ context }) => context.close()));
  });
}

for (const look of LOOKS) {
  test(`SHELL-8 CEN-2 CEN-7 axe finds nothing on a comparison of two versions nor on the filters of the log: ${look.name}`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
    const supervisor = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
    const place = await reportOf(supervisor, 'MED 3A');
    const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', look);
    const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test', look);
    const [hers, page] = [await openReport(nurse.page(), place), admin.page()];
    const found: Record<string, string[]> = {};

    nurse.allowConsole(failedLoad(409, '/api/census/units/{unit}/days/{date}/{population}'), 'two have entered it');
    nurse.allowConsole(
      /^warning: An item of the outbox was refused: conflict$/,
      'it was kept before the network was back',
    );
    await cutNetwork(nurse);
    await count(hers, 'Admissions').fill(look.dark ? '5' : '4');
    await writeReport(supervisor, place, { submit: false, counts: { admissions: look.dark ? 3 : 2 } });
    await restoreNetwork(nurse);
    found['compare'] = await inDialog(hers, () => hers.getByRole('button', { name: 'Compare' }).click());

    await openAndSettle(page, '/census-logs');
    const filters = page.getByRole('group', { name: 'Filters' });
    for (const name of ['Census dates', 'Person']) {
      found[name] = await inDialog(page, async () => {
        await filters.getByRole('button', { name, exact: true }).click();
        await expect(page.getByRole('dialog').locator('[aria-busy="true"]')).toHaveCount(0);
      });
    }
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    await Promise.all([nurse, admin].map(({ context }) => context.close()));
  });
}

test('SHELL-8 CEN-6 axe finds nothing on the signature with a gap to accept nor on the reopening of a signed day', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const supervisor = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  const reviewer = await signInOverHttp(wardline.baseUrl, 'officer@demo.test');
  const signed = await reportOf(supervisor, 'MED 3A', 5);
  for (const unit of ['MED 3A', 'ICU']) {
    await writeReport(supervisor, await reportOf(supervisor, unit), { submit: true });
  }
  for (const unit of ['MED 3A', 'ICU', 'SUR 2B']) {
    const at = apiPath(await reportOf(supervisor, unit));
    const { version } = await reviewer.get<{ version: number }>(at);
    await reviewer.send('POST', `${at}/approve`, { client_id: newId(), version });
  }
  for (const look of LOOKS.filter(({ dark }) => isNightly || dark)) {
    const officer = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test', look);
    const page = officer.page();
    const found: Record<string, string[]> = {};
    await openAndSettle(page, '/census-summary');
    found['sign'] = await inDialog(page, async () => {
      await page.getByRole('button', { name: /^Sign and lock/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /^Sign and lock/ }).click();
      await expect(dialog.getByText('Enter a reason of at least 5 characters.')).toBeVisible();
    });
    await openAndSettle(page, `/census-summary?from=${signed.date}`);
    found['reopen'] = await inDialog(page, () => page.getByRole('button', { name: 'Reopen' }).click());
    expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
    await officer.context.close();
  }
});
