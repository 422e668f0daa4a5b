import { expect, type Locator, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { expectWrong } from '../../support/census/census-refusals.ts';
import {
  openReport,
  type ReportPlace,
  readReport,
  reportOf,
  sheet,
  writeReport,
} from '../../support/census/census-reports.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let supervisorOverHttp: HttpPerson;
let owen: BrowserPerson;
let nurse: BrowserPerson;
let med: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  supervisorOverHttp = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  med = await reportOf(supervisorOverHttp, 'MED 3A');
  owen = await openSignedIn(browser, wardline.baseUrl, 'owen.hart@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await Promise.all([owen, nurse].map((person) => person?.context.close()));
  await wardline?.stop();
});

const HEAD =
  'facility_code,unit_code,census_date,population,opening,admissions,births,transfers_in,discharges,deaths,deaths_u48,transfers_out,ad_same_day,on_leave,counted,beds_staffed,beds_blocked,observation,transfers_from,transfers_to,closing';

/** A line of MED 3A on which nobody came or went; what differs is given. */
function line(change: Readonly<Record<string, string>> = {}): string {
  const quiet: Readonly<Record<string, string>> = {
    facility_code: 'SB',
    unit_code: 'MED 3A',
    census_date: med.date,
    population: 'adult_and_child',
    opening: '24',
    counted: '24',
    beds_staffed: '28',
    transfers_from: '',
    transfers_to: '',
    closing: '',
  };
  return HEAD.split(',')
    .map((column) => change[column] ?? quiet[column] ?? '0')
    .join(',');
}

async function openImport(page: Page): Promise<Locator> {
  await openAndSettle(page, '/census-summary');
  await page.getByRole('button', { name: 'Files' }).click();
  await page.getByRole('menuitem', { name: 'Import a file' }).click();
  return page.getByRole('dialog', { name: /^Import into / });
}

async function choose(dialog: Locator, lines: readonly string[]): Promise<void> {
  const buffer = Buffer.from([HEAD, ...lines, ''].join('\n'));
  await dialog.locator('input[type="file"]').setInputFiles({ name: 'ward-sheet.csv', mimeType: 'text/csv', buffer });
}

/** The file is refused with these words at the line, offers nothing to import, and nothing of it is stored. */
async function expectFileRefused(dialog: Locator, change: Readonly<Record<string, string>>, text: string) {
  const before = await readReport(supervisorOverHttp, med);
  await choose(dialog, [line(change)]);
  await expect(dialog).toContainText('1 line refused, so nothing was imported.');
  await expect(dialog.getByRole('row').filter({ hasText: 'Refused' })).toContainText(text);
  await expect(dialog.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  expect(await readReport(supervisorOverHttp, med)).toEqual(before);
}

test('CEN-8 CEN-R1 CEN-R2 CEN-R16 a total, an opening and births that a sheet does not let anybody type are refused in a file, with the words at their cell', {
  tag: NIGHTLY,
}, async () => {
  const dialog = await openImport(owen.page());
  await expectFileRefused(dialog, { closing: '21' }, 'closing The total entered is 21; what was counted comes to 24.');
  await expectFileRefused(dialog, { opening: '23' }, 'opening The day before closed with 24; that is the opening.');
  await expectFileRefused(
    dialog,
    { births: '1', counted: '25' },
    'births Births are counted in the report of the newborn.',
  );
});

test('CEN-8 CEN-R3 what is no whole number is refused in a file, with the words at its cell', {
  tag: NIGHTLY,
}, async () => {
  const dialog = await openImport(owen.page());
  for (const text of ['-1', '2.5', '1e3', '10000', 'four']) {
    await expectFileRefused(dialog, { discharges: text }, `discharges “${text}” is not a whole number from 0 to 9999.`);
  }
});

test('CEN-8 CEN-R4 CEN-R5 CEN-R6 CEN-R14 CEN-R20 numbers that contradict each other are refused in a file, with the words at their cell', async () => {
  const dialog = await openImport(owen.page());
  const sameDay = { admissions: '3', discharges: '2', ad_same_day: '3', counted: '25' };
  await expectFileRefused(dialog, sameDay, 'ad_same_day Only 2 were discharged or died; 3 cannot be same-day.');
  await expectFileRefused(
    dialog,
    { deaths: '1', deaths_u48: '2', counted: '23' },
    'deaths_u48 Of 1 deaths, 2 cannot be under 48 h.',
  );
  await expectFileRefused(
    dialog,
    { discharges: '25', counted: '0' },
    'closing More patients left than were in the unit: the closing would be −1.',
  );
  await expectFileRefused(dialog, { on_leave: '25', counted: '0' }, 'on_leave Of 24 patients, 25 cannot be on leave.');
  const over = '31 patients and 0 blocked beds are more than the 30 beds. Say where they are.';
  await expectFileRefused(dialog, { admissions: '7', counted: '31' }, `capacity_reason ${over}`);
});

test('CEN-8 CEN-R8 CEN-R9 CEN-R10 CEN-R12 CEN-R15 a transfer to itself, a second line, a date too early, a signed one and one that is none are refused in a file', {
  tag: NIGHTLY,
}, async () => {
  const dialog = await openImport(owen.page());
  const itself = { transfers_out: '1', transfers_to: 'MED 3A:1', counted: '23' };
  await expectFileRefused(dialog, itself, 'transfers A unit cannot transfer to itself.');
  const tomorrow = await reportOf(supervisorOverHttp, 'MED 3A', -1);
  await expectFileRefused(
    dialog,
    { census_date: tomorrow.date },
    'is not counted yet: it can be submitted after its census hour.',
  );
  const signed = await reportOf(supervisorOverHttp, 'MED 3A', 30);
  await expectFileRefused(
    dialog,
    { census_date: signed.date, opening: '' },
    'It must be reopened before anything of it changes.',
  );
  await expectFileRefused(dialog, { census_date: '2027-02-29' }, 'census_date Write the date as YYYY-MM-DD.');

  const before = await readReport(supervisorOverHttp, med);
  await choose(dialog, [line(), line()]);
  await expect(dialog.getByRole('row').filter({ hasText: 'Refused' })).toContainText(
    'This unit, date and population is in the file twice.',
  );
  expect(await readReport(supervisorOverHttp, med)).toEqual(before);
});

test('CEN-8 CEN-R3 a blank in a file is not given and no zero: the report stays a draft without a closing', async () => {
  const dialog = await openImport(owen.page());
  await choose(dialog, [line({ discharges: '', deaths: '', on_leave: '' })]);
  await dialog.getByRole('button', { name: 'Import 1 report' }).click();
  await expect(dialog).toContainText('1 line stored, 0 unchanged.');
  expect(await readReport(supervisorOverHttp, med)).toMatchObject({
    status: 'draft',
    closing: null,
    counts: { admissions: 0, discharges: null, deaths: null, on_leave: null },
  });
});

test('CEN-3 CEN-R11 a unit that is closed shows its nurse a sheet only to be read, says why, and takes no file', async () => {
  const next = await reportOf(supervisorOverHttp, 'MED 3A', -1);
  const marit = await signInOverHttp(wardline.baseUrl, 'admin@demo.test');
  const settings = `/api/census/facilities/${med.facility}/settings`;
  const { version, units } = await marit.get<{ version: number; units: { unit_id: string; unit_code: string }[] }>(
    settings,
  );
  const unit = units.find(({ unit_code }) => unit_code === 'MED 3A')?.unit_id;
  expect((await marit.send('PATCH', `${settings}/units/${unit}`, { version, active_to: med.date }))?.status).toBe(200);

  const hers = await openReport(nurse.page(), next);
  await expect(
    hers.getByText('The unit does not report on this date, others report for it, or the day is signed.'),
  ).toBeVisible();
  await expect(sheet(hers).getByRole('textbox')).toHaveCount(0);
  await expect(hers.getByRole('button', { name: /^Submit / })).toHaveCount(0);
  expect((await readReport(supervisorOverHttp, next)).version).toBe(0);

  const dialog = await openImport(owen.page());
  const closed = { census_date: next.date };
  await expectFileRefused(dialog, closed, 'MED 3A does not report on');
  expect((await readReport(supervisorOverHttp, next)).version).toBe(0);
});

test('CEN-3 CEN-R18 who handed a report in finds no approval on its page or in the summary, and is told why', async () => {
  const icu = await reportOf(supervisorOverHttp, 'ICU');
  const { version } = await writeReport(supervisorOverHttp, icu, { submit: true, counts: { discharges: 1 } });
  const page = await openReport(owen.page(), icu);
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve / })).toHaveCount(0);
  await openAndSettle(page, '/census-summary');
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: /^ICU/ }).click();
  const dialog = page.getByRole('dialog', { name: /^ICU, / });
  await expect(dialog).toContainText('You submitted this report. Someone else has to approve it.');
  await expect(dialog.getByRole('button', { name: 'Return' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Approve / })).toHaveCount(0);
  expect(await readReport(supervisorOverHttp, icu)).toMatchObject({ status: 'submitted', version });
});

test('CEN-3 CEN-R19 a correction is not opened without a kind of reason and words, blanks being none', async () => {
  const approved = await reportOf(supervisorOverHttp, 'MAT');
  const { status, version } = await readReport(supervisorOverHttp, approved);
  expect(status).toBe('approved');
  const page = await openReport(owen.page(), approved);
  await page.getByRole('button', { name: 'Amend' }).click();
  const dialog = page.getByRole('dialog', { name: /^Amend MAT/ });
  const open = dialog.getByRole('button', { name: 'Open for correction' });
  await open.click();
  await expectWrong(dialog.getByLabel('Kind of reason'), 'Choose what comes nearest.');
  for (const text of ['', '      ', 'slip']) {
    await dialog.getByLabel('Why is it changed?').fill(text);
    await open.click();
    await expectWrong(dialog.getByLabel('Why is it changed?'), 'Enter at least 5 characters.');
    await expect(dialog.getByLabel('Why is it changed?')).toHaveValue(text);
  }
  expect(await readReport(supervisorOverHttp, approved)).toMatchObject({ status: 'approved', version });
});
