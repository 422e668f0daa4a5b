import { expect } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import {
  expectSheetRefused,
  expectUntouched,
  expectWrong,
  openQuietSheet,
  told,
} from '../../support/census/census-refusals.ts';
import {
  count,
  openReport,
  pagePath,
  type ReportPlace,
  readReport,
  receipt,
  reportOf,
  sheet,
  submitButton,
  submitReport,
} from '../../support/census/census-reports.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let nurseOverHttp: HttpPerson;
let nurse: BrowserPerson;
let med: ReportPlace;
let tomorrow: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  med = await reportOf(nurseOverHttp, 'MED 3A');
  tomorrow = await reportOf(nurseOverHttp, 'MED 3A', -1);
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  await nurse.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: wardline.baseUrl });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

/** The fields of a sheet of adults and children that nobody has touched, with the words for what is not given. */
const BLANKS: ReadonlyArray<readonly [label: string, text: string]> = [
  ['Admissions', 'Admissions not entered. Enter 0 if there were none.'],
  ['Transfers in', 'Transfers in not entered. Enter 0 if there were none.'],
  ['Discharges', 'Discharges not entered. Enter 0 if there were none.'],
  ['Deaths', 'Deaths not entered. Enter 0 if there were none.'],
  ['of which under 48 h', 'Deaths under 48 h not entered. Enter 0 if there were none.'],
  ['Transfers out', 'Transfers out not entered. Enter 0 if there were none.'],
  ['Admitted and discharged same day', 'Admitted and discharged same day not entered. Enter 0 if there were none.'],
  ['On leave', 'On leave not entered. Enter 0 if there were none.'],
  ['Observation patients', 'Observation patients not entered. Enter 0 if there were none.'],
  ['Head count', 'Head count not entered. Enter 0 if there were none.'],
];

test('CEN-2 CEN-R3 a sheet that nobody filled names each blank at its field, and is not begun on the server', async () => {
  const page = await openReport(nurse.page(), med);
  await submitReport(page);
  for (const [label, text] of BLANKS) await expectWrong(count(page, label), text);
  await expect(count(page, 'Admissions')).toBeFocused();
  await expect(sheet(page).locator('[aria-invalid="true"]')).toHaveCount(BLANKS.length);
  await expectUntouched(nurseOverHttp, med, 0);
});

test('CEN-2 CEN-R3 one blank among what is filled is named alone, field by field, and never taken for a zero', {
  tag: NIGHTLY,
}, async () => {
  const page = nurse.page();
  await openQuietSheet(page, nurseOverHttp, med);
  await count(page, 'Head count').fill('24');
  for (const label of ['Admissions', 'Discharges', 'Deaths', 'of which under 48 h', 'On leave', 'Head count']) {
    const was = await count(page, label).inputValue();
    await count(page, label).fill('');
    await submitReport(page);
    await expectWrong(count(page, label), / not entered\. Enter 0 if there were none\.$/);
    await expect(sheet(page).locator('[aria-invalid="true"]')).toHaveCount(1);
    await count(page, label).fill(was);
  }
  for (const label of ['Staffed beds', 'Blocked beds']) {
    const was = await count(page, label).inputValue();
    await count(page, label).fill('');
    await submitReport(page);
    await expectWrong(count(page, label), `${label} not entered. Enter 0 if there are none.`);
    await count(page, label).fill(was);
  }
  expect((await readReport(nurseOverHttp, med)).status).toBe('draft');
});

test('CEN-2 CEN-R3 what is pasted and no whole number is named, kept as it was pasted, and not stored', async () => {
  const page = nurse.page();
  await openQuietSheet(page, nurseOverHttp, med);
  const { version } = await readReport(nurseOverHttp, med);
  for (const pasted of ['-1', '2.5', '1e3', '1,234', '10000', 'four']) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
    await count(page, 'Discharges').focus();
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Tab');
    await expect(count(page, 'Discharges')).toHaveValue(pasted);
    await expectWrong(count(page, 'Discharges'), 'Discharges must be a whole number from 0 to 9999.');
    await expect(told(page, 'Closing')).toHaveText('–');
    await submitReport(page);
    await expect(count(page, 'Discharges')).toBeFocused();
  }
  await page.getByLabel('You received, ED').fill('2.5');
  await submitReport(page);
  await expectWrong(count(page, 'Transfers in'), 'Transfers in must be a whole number from 0 to 9999.');
  await openReport(page, med);
  await expect(count(page, 'Discharges')).toHaveValue('four');
  await expect(page.getByLabel('You received, ED')).toHaveValue('2.5');
  await expectUntouched(nurseOverHttp, med, version);
});

test('CEN-2 CEN-R1 CEN-R2 CEN-R16 closing and opening are told and no fields, and births wait in the report of the newborn', async () => {
  const page = await openReport(nurse.page(), med);
  await openQuietSheet(page, nurseOverHttp, med);
  await expect(told(page, 'Opening')).toHaveText('24');
  await expect(told(page, 'Closing')).toHaveText('24');
  for (const label of ['Opening', 'Closing']) await expect(count(page, label)).toHaveCount(0);
  // The day before is signed, and reopened by others.
  await expect(sheet(page).getByRole('link', { name: /^See / })).toBeVisible();
  await expect(sheet(page).getByText(/; to correct it, ask \S/)).toBeVisible();
  const births = count(page, 'Births');
  await expect(births).toBeDisabled();
  await expect(births).toHaveValue('0');
  await expect(births).toHaveAccessibleDescription('newborn reports only');
  for (const button of ['One more, births', 'One less, births']) {
    await expect(page.getByRole('button', { name: button })).toBeDisabled();
  }
});

test('CEN-2 CEN-R4 more same-day patients than left, or than came, are refused at their field', {
  tag: NIGHTLY,
}, async () => {
  const sameDay = 'Admitted and discharged same day';
  const shared = { person: nurseOverHttp, place: med };
  await expectSheetRefused(nurse.page(), {
    ...shared,
    typed: { Admissions: '5', Discharges: '1', Deaths: '1', 'Head count': '27' },
    at: [sameDay, '3'],
    text: 'Only 2 were discharged or died; 3 cannot be same-day.',
  });
  await expectSheetRefused(nurse.page(), {
    ...shared,
    typed: { Admissions: '1', Discharges: '4', 'Head count': '21' },
    at: [sameDay, '2'],
    text: 'Only 1 came in; 2 cannot be same-day.',
  });
});

test('CEN-2 CEN-R5 more deaths under 48 h than deaths are refused at their field', { tag: NIGHTLY }, async () => {
  await expectSheetRefused(nurse.page(), {
    person: nurseOverHttp,
    place: med,
    typed: { Deaths: '1', 'Head count': '23' },
    at: ['of which under 48 h', '2'],
    text: 'Of 1 deaths, 2 cannot be under 48 h.',
  });
});

test('CEN-2 CEN-R6 more patients out than were in are refused at the closing, which says what it would be', async () => {
  const page = nurse.page();
  await openQuietSheet(page, nurseOverHttp, med);
  const { version } = await readReport(nurseOverHttp, med);
  await count(page, 'Discharges').fill('33');
  await count(page, 'Head count').fill('0');
  await submitReport(page);
  await expect(
    sheet(page).getByText('More patients left than were in the unit: the closing would be −9.'),
  ).toBeVisible();
  await openReport(page, med);
  await expect(count(page, 'Discharges')).toHaveValue('33');
  await expectUntouched(nurseOverHttp, med, version);
});

test('CEN-2 CEN-R14 more patients on leave than the unit has are refused at their field', {
  tag: NIGHTLY,
}, async () => {
  await expectSheetRefused(nurse.page(), {
    person: nurseOverHttp,
    place: med,
    typed: { 'Head count': '0' },
    at: ['On leave', '25'],
    text: 'Of 24 patients, 25 cannot be on leave.',
  });
});

test('CEN-2 CEN-R8 among the partners of a transfer every other unit is offered, and never the unit itself', async () => {
  const page = await openReport(nurse.page(), med);
  for (const label of ['Add a unit that sent patients', 'Add a unit that received patients']) {
    const offered = await page.getByLabel(label).locator('option').allTextContents();
    expect(offered.filter((option) => option.startsWith('MAT'))).toHaveLength(1);
    expect(offered.filter((option) => option.startsWith('MED 3A'))).toEqual([]);
  }
});

test('CEN-1 a number typed at the transfers keeps its digits, and Enter goes to the first who may have sent them', async () => {
  const page = nurse.page();
  await openReport(page, med);
  const add = page.getByLabel('Add a unit that sent patients');
  await add.selectOption((await add.locator('option', { hasText: /^MAT/ }).getAttribute('value')) ?? '');
  await expect(page.getByLabel('You received, MAT')).toBeFocused();
  for (const unit of ['ED', 'MAT']) await page.getByLabel(`You received, ${unit}`).fill('');
  await count(page, 'Transfers in').fill('');
  await page.keyboard.type('12');
  await expect(count(page, 'Transfers in')).toHaveValue('12');
  await page.keyboard.press('Enter');
  const partner = page.locator('[data-partner="in"]').first();
  await expect(partner).toBeFocused();
  await page.keyboard.type('12');
  await expect(partner).toHaveValue('12');
  await expect(count(page, 'Transfers in')).toHaveValue('12');
  await expect(count(page, 'Transfers in')).not.toBeEditable();
});

test('CEN-2 CEN-R9 a unit, date and population has one report: the one that is asked for again is the one that is there', async () => {
  const page = nurse.page();
  await openReport(page, med);
  await count(page, 'Admissions').fill('4');
  await expect.poll(async () => (await readReport(nurseOverHttp, med)).counts['admissions']).toBe(4);
  const { version } = await readReport(nurseOverHttp, med);
  await page.getByRole('button', { name: 'Another report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Another report' });
  await dialog.getByLabel('Unit').selectOption({ label: 'MED 3A · Medical ward 3A' });
  await dialog.getByLabel('Census date').fill(med.date);
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect(dialog).toBeHidden();
  await expect(count(page, 'Admissions')).toHaveValue('4');
  await expectUntouched(nurseOverHttp, med, version);
});

test('CEN-2 CEN-R10 the date under way is written, and refused before its census hour without being sent or lost', async () => {
  const page = nurse.page();
  await openQuietSheet(page, nurseOverHttp, tomorrow);
  await count(page, 'Head count').fill('24');
  await submitReport(page);
  const text = page
    .getByRole('alert')
    .filter({ hasText: 'is not counted yet: it can be submitted after its census hour.' });
  await expect(text).toHaveCount(1);
  await expect(text).toBeInViewport();
  await expect(page.getByText(/refused/)).toHaveCount(0);
  await expect(count(page, 'Head count')).toHaveValue('24');
  expect((await readReport(nurseOverHttp, tomorrow)).status).toBe('draft');
});

test('CEN-2 CEN-R10 a date that has not begun is only to be read, and says why', async () => {
  const ahead = await reportOf(nurseOverHttp, 'MED 3A', -30);
  const page = await openReport(nurse.page(), ahead);
  await expect(page.getByText(/^Read only\. .+ has not begun yet\.$/)).toBeVisible();
  await expect(sheet(page).getByRole('textbox')).toHaveCount(0);
  await expect(submitButton(page)).toHaveCount(0);
  await expectUntouched(nurseOverHttp, ahead, 0);
});

test('CEN-2 CEN-R15 29 Feb 2027, and 30 Dec 2011 in Apia, are no dates: the page says so and shows no sheet', async () => {
  const page = nurse.page();
  const noDay = async (date: string) => {
    const asked = failedLoad(422, `/api/census/units/{unit}/days/${date}/{population}`);
    nurse.expectConsole(asked, 'only the server knows the calendar of the facility');
    await page.goto(pagePath({ ...med, date }));
    await expect(page.getByRole('heading', { name: 'Report not found' })).toBeVisible();
    await expect(page.getByText(`${date} is not in this facility’s calendar.`)).toBeVisible();
    await expect(sheet(page)).toHaveCount(0);
  };
  await noDay('2027-02-29');
  await wardline.asDatabaseOwner(`update census_hours set time_zone = 'Pacific/Apia'`);
  await noDay('2011-12-30');
  await openReport(page, { ...med, date: '2011-12-29' });
  await wardline.asDatabaseOwner(`update census_hours set time_zone = 'Europe/Dublin'`);
  await page.goto(pagePath({ ...med, date: '2011-12-30' }));
  await expect(sheet(page)).toBeVisible();
});

test('CEN-2 CEN-R20 more patients than beds are refused without words, and taken with them: a warning that wants words, no wall', async () => {
  const page = nurse.page();
  await openQuietSheet(page, nurseOverHttp, med);
  const { version } = await readReport(nurseOverHttp, med);
  await count(page, 'Admissions').fill('8');
  await count(page, 'Head count').fill('32');
  const where = page.getByLabel('Where are the patients over capacity?');
  await expect(where).toHaveAccessibleDescription('32 patients and 0 blocked are more than 30 beds.');
  for (const text of ['', '    ', 'hall']) {
    await where.fill(text);
    await submitReport(page);
    await expectWrong(where, '32 patients and 0 blocked beds are more than the 30 beds. Say where they are.');
    await expect(where).toBeFocused();
  }
  expect(await readReport(nurseOverHttp, med)).toMatchObject({ status: 'draft' });
  await where.fill('Two beds stand in the corridor.');
  await submitReport(page);
  await expect(receipt(page)).toBeVisible();
  const stored = await readReport(nurseOverHttp, med);
  expect(stored).toMatchObject({ status: 'submitted', closing: 32 });
  expect(stored.version).toBeGreaterThan(version);
});
