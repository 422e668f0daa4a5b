import { expect, type Locator, type Page } from '@playwright/test';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import {
  openReport,
  passDeadline,
  type ReportPlace,
  reportOf,
  sheet,
  writeReport,
} from '../../support/census/census-reports.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let supervisor: HttpPerson;
let officer: BrowserPerson;
let nurse: BrowserPerson;
let icu: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  await passDeadline(wardline);
  supervisor = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  icu = await reportOf(supervisor, 'ICU');
  officer = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  await openAndSettle(officer.page(), '/census-summary');
});
test.afterAll(async () => {
  await Promise.all([officer, nurse].map((person) => person?.context.close()));
  await wardline?.stop();
});

interface Day {
  readonly units: readonly { readonly unit_id: string; readonly present: number | null }[];
  readonly units_submitted: number;
}

/** What the facility's figures are made of. */
async function figures(): Promise<unknown> {
  const base = `/api/census/facilities/${icu.facility}`;
  const { total } = await supervisor.get<{ total: unknown }>(`${base}/summary?from=${icu.date}&to=${icu.date}&by=day`);
  const { units, units_submitted } = await supervisor.get<Day>(`${base}/days/${icu.date}`);
  return { total, units_submitted, present: units.map(({ present }) => present) };
}

async function openIcu(page: Page): Promise<Locator> {
  await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: /^ICU/ }).click();
  return page.getByRole('dialog', { name: /^ICU, / });
}

test('CEN-5 CEN-6 the officer estimates a missing ward: it is shown apart, and no sum moves', async () => {
  const page = officer.page();
  const before = await figures();
  const dialog = await openIcu(page);
  await dialog.getByRole('button', { name: 'Enter an estimate' }).click();
  await dialog.getByRole('button', { name: 'Save estimate' }).click();
  await expect(dialog.getByText('Write a whole number from 0 to 9999.')).toBeVisible();
  await dialog.getByLabel('Patients present').fill('9');
  await dialog.getByLabel('Source of the estimate').fill('phoned the ward');
  await dialog.getByRole('button', { name: 'Save estimate' }).click();
  await expect(dialog.getByText('estimate 9 by Ruth Calloway: phoned the ward')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('list', { name: 'Estimates' })).toContainText(
    'estimate 9 by Ruth Calloway: phoned the ward',
  );
  await expect(page.getByText(/^In census \d+, with an estimate \d+$/)).toBeVisible();
  expect(await figures()).toEqual(before);
  await expect(page.getByRole('list', { name: 'What blocks signing' })).toContainText('ICU report missing');
  await expect(page.getByRole('button', { name: /^Sign and lock/ })).toBeDisabled();

  const board = nurse.page();
  await openAndSettle(board, '/census');
  await expect(board.getByRole('region', { name: 'Facility total' })).toContainText(/with an estimate \d+/);
  await expect(board.getByRole('region', { name: 'Units by pressure' })).toContainText(
    'estimate 9 by Ruth Calloway: phoned the ward',
  );
});

test('CEN-5 the ward’s own report takes the place of the estimate, and the log says both', async () => {
  const page = officer.page();
  await writeReport(supervisor, icu, { submit: true });
  await expect(page.getByText('estimate 9 by Ruth Calloway')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'What blocks signing' })).toContainText('ICU to approve');
  await openAndSettle(page, '/census-logs');
  const log = page.getByRole('main');
  await expect(log).toContainText(/Ruth Calloway estimated ICU, .+ at 9: phoned the ward\./);
  await expect(log).toContainText(/Owen Hart replaced the estimate of 9 for ICU, .+ with the report of \d+\./);
});

test('CEN-9 the month stands as a calendar beside a unit’s report and in the summary, and a day of it is opened by key', async () => {
  const page = officer.page();
  await openAndSettle(page, '/census-summary#days');
  const days = page.getByRole('grid', { name: /^Days of / });
  await days.scrollIntoViewIfNeeded();
  await expect(days.getByRole('gridcell', { name: /: (Signed|Locked)$/ }).first()).toBeVisible();

  const med = await reportOf(supervisor, 'MED 3A');
  const hers = await openReport(nurse.page(), med);
  const calendar = hers.getByRole('grid', { name: /^Reports of / });
  await calendar.locator('td[tabindex="0"]').focus();
  await hers.keyboard.press('ArrowLeft');
  await hers.keyboard.press('Enter');
  await expect(hers).not.toHaveURL(new RegExp(`date=${med.date}`));
  await expect(sheet(hers)).toBeVisible();

  await hers.setViewportSize({ width: 390, height: 844 });
  await expect(calendar).toBeHidden();
  await hers.getByRole('button', { name: 'Calendar of MED 3A' }).click();
  await expect(hers.getByRole('dialog').getByRole('grid', { name: /^Reports of / })).toBeVisible();
});
