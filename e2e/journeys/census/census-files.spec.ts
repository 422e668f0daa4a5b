import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { type ReportPlace, readReport, reportOf } from '../../support/census/census-reports.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let supervisorOverHttp: HttpPerson;
let owen: BrowserPerson;
let med: ReportPlace;
let icu: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  supervisorOverHttp = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  med = await reportOf(supervisorOverHttp, 'MED 3A');
  icu = await reportOf(supervisorOverHttp, 'ICU');
  owen = await openSignedIn(browser, wardline.baseUrl, 'owen.hart@demo.test');
});
test.afterAll(async () => {
  await owen?.context.close();
  await wardline?.stop();
});

/** Reads the counts that the server has of a report. */
function stored(place: ReportPlace) {
  return async () => (await readReport(supervisorOverHttp, place)).counts;
}

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: /^Reports of / });
}

function gridRow(page: Page, unit: string): Locator {
  return grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: unit }) });
}

/** A cell by the head of its column. */
async function cell(page: Page, unit: string, head: string): Promise<Locator> {
  await expect(grid(page)).toBeVisible();
  const heads = await grid(page).getByRole('columnheader').allTextContents();
  // The row's own head is none of its cells.
  return gridRow(page, unit)
    .getByRole('gridcell')
    .nth(heads.indexOf(head) - 1);
}

test('CEN-4 a block of a spreadsheet is pasted, what is wrong stays at its cell, is taken back, mended, saved, and there after a reload', {
  tag: NIGHTLY,
}, async () => {
  const page = owen.page();
  await owen.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: wardline.baseUrl });
  await openAndSettle(page, '/census-unit?view=all');
  const paste = async (text: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await (await cell(page, 'MED 3A', 'Discharges')).click();
    await page.keyboard.press('Control+v');
  };
  const discharges = await cell(page, 'MED 3A', 'Discharges');
  const wrong = await cell(page, 'ICU', 'Discharges');
  // The row between them is handed in and says the same.
  await paste('4\t1\t1\n1\t0\t0\n2,5\t1\t0');
  await expect(discharges).toHaveText(/^4/);
  await expect(wrong).toHaveAttribute('aria-invalid', 'true');
  await expect(wrong).toContainText('“2,5” is not a whole number from 0 to 9999.');
  await expect(gridRow(page, 'ICU')).toContainText('Not saved: a cell is wrong');
  await expect(gridRow(page, 'MED 3A')).toContainText('Saved');
  await expect.poll(stored(med)).toMatchObject({ discharges: 4, deaths: 1, deaths_u48: 1 });
  expect((await readReport(supervisorOverHttp, icu)).version).toBe(0);

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(discharges).toHaveText('');
  await expect(wrong).toHaveText('');
  await paste('3\t0\t0\n1\t0\t0\n2\t1\t0');
  for (const unit of ['MED 3A', 'ICU']) await expect(gridRow(page, unit)).toContainText('Saved');
  // The word may still be that of the paste before: what the server has is not.
  await expect.poll(stored(med)).toMatchObject({ discharges: 3 });
  await expect.poll(stored(icu)).toMatchObject({ discharges: 2, deaths: 1, deaths_u48: 0 });
  await openAndSettle(page, '/census-unit?view=all');
  await expect(discharges).toHaveText(/^3/);
  await expect(wrong).toHaveText(/^2/);
});

test('CEN-8 a file with one bad line is refused as a whole and named; mended it is stored, and an export holds it', {
  tag: NIGHTLY,
}, async () => {
  const page = owen.page();
  const file = (lines: readonly string[]) => ({
    name: 'ward-sheet.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['facility_code,unit_code,census_date,population,observation', ...lines, ''].join('\n')),
  });
  const line = (unit: string, observation: string) => `SB,${unit},${med.date},adult_and_child,${observation}`;
  await openAndSettle(page, '/census-summary');
  await page.getByRole('button', { name: 'Files' }).click();
  await page.getByRole('menuitem', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: /^Import into / });
  await dialog.locator('input[type="file"]').setInputFiles(file([line('MED 3A', '2'), line('ICU', '"1,234"')]));
  await expect(dialog).toContainText('1 line refused, so nothing was imported.');
  const bad = dialog.getByRole('row').filter({ hasText: 'Refused' });
  await expect(bad).toContainText('ICU');
  await expect(bad).toContainText('observation');
  await expect(dialog.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  expect((await readReport(supervisorOverHttp, med)).counts).toMatchObject({ observation: null });

  await dialog.locator('input[type="file"]').setInputFiles(file([line('MED 3A', '2'), line('ICU', '1')]));
  await dialog.getByRole('button', { name: 'Import 2 reports' }).click();
  await expect(dialog).toContainText('2 lines stored, 0 unchanged.');
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(dialog).toBeHidden();
  expect((await readReport(supervisorOverHttp, med)).counts).toMatchObject({ observation: 2, discharges: 3 });
  expect((await readReport(supervisorOverHttp, icu)).counts).toMatchObject({ observation: 1, discharges: 2 });

  const csv = page.getByRole('menuitem', { name: 'Unit reports, CSV' });
  // The way back out of the dialog may still close a menu that was opened at once.
  await expect(async () => {
    if (!(await csv.isVisible())) await page.getByRole('button', { name: 'Files' }).click();
    await expect(csv).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const downloading = page.waitForEvent('download', { timeout: 30_000 });
  await csv.click();
  const download = await downloading;
  const [head = '', ...rows] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  const columns = head.replace('\uFEFF', '').split(',');
  const stored = rows.find((row) => row.startsWith(`SB,MED 3A,${med.date},`))?.split(',');
  expect(stored?.[columns.indexOf('observation')]).toBe('2');
  expect(stored?.[columns.indexOf('status')]).toBe('draft');
});
