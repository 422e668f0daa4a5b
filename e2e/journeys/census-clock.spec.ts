import { type Browser, expect, test } from '@playwright/test';
import { type BrowserPerson, fillSignIn, openBrowser } from '../support/browser-person.ts';
import { logOf } from '../support/census-log.ts';
import {
  apiPath,
  count,
  openReport,
  passDeadline,
  type ReportPlace,
  readReport,
  receipt,
  reportOf,
  submitReport,
} from '../support/census-reports.ts';
import { type HttpPerson, signInOverHttp } from '../support/http-person.ts';
import { nightlyUnless } from '../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../support/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let nurseOverHttp: HttpPerson;
let adminOverHttp: HttpPerson;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline();
  [nurseOverHttp, adminOverHttp] = await Promise.all([
    signInOverHttp(wardline.baseUrl, 'nurse@demo.test'),
    signInOverHttp(wardline.baseUrl, 'admin@demo.test'),
  ]);
  await passDeadline(wardline);
});
test.afterAll(async () => {
  await Promise.all(people.map(({ context }) => context.close()));
  await wardline?.stop();
});

/** Signs in at a device whose clock is this many years off. */
async function atDevice(browser: Browser, email: string, years: number): Promise<BrowserPerson> {
  const person = await openBrowser(browser, wardline.baseUrl);
  people.push(person);
  const time = new Date();
  time.setUTCFullYear(time.getUTCFullYear() + years);
  await person.context.clock.install({ time });
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, email);
  await expect(page).toHaveURL(/\/dashboard$/);
  return person;
}

/** `Nov 21, 2026`: within how the pages write a census date. */
function written({ date }: ReportPlace): string {
  const parts = { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', parts).format(new Date(`${date}T00:00:00Z`));
}

for (const years of [10, -10]) {
  const off = years > 0 ? 'ahead' : 'behind';

  test(
    `R20 at a device whose clock is ten years ${off}, today, due and late are the server’s`,
    nightlyUnless(years > 0),
    async ({ browser }) => {
      const place = await reportOf(nurseOverHttp, 'MED 3A');
      const page = (await atDevice(browser, 'officer@demo.test', years)).page();
      await page.goto('/census');
      await expect(page.getByText(/^ICU is missing\. Due .+, (\d+ h( \d+ min)?|\d+ min) late\./)).toBeVisible();
      await page.goto('/census-summary');
      await expect(page.getByRole('button', { name: written(place) })).toBeVisible();
      await page.goto('/census-summary?by=month');
      await expect(page.getByRole('table', { name: 'Measures', exact: true })).toBeVisible();
    },
  );
}

test('R20 what is handed in at a device whose clock is ten years behind has the server’s time, and its place in the log', async ({
  browser,
}) => {
  const place = await reportOf(nurseOverHttp, 'MED 3A');
  const page = (await atDevice(browser, 'nurse@demo.test', -10)).page();
  await openReport(page, place);
  const { opening, transfers } = await readReport(nurseOverHttp, place);
  await page.getByRole('button', { name: 'Nothing changed' }).click();
  const moved = transfers.reduce((sum, one) => sum + (one.direction === 'in' ? 1 : -1) * (one.theirs ?? 0), 0);
  await count(page, 'Head count').fill(String((opening ?? 0) + moved));
  await submitReport(page);
  await expect(receipt(page)).toHaveText(/, late\.$/);
  const { submitted_at } = await nurseOverHttp.get<{ submitted_at: string }>(apiPath(place));
  expect(Math.abs(Date.parse(submitted_at) - Date.now())).toBeLessThan(60_000);
  const [last] = (await logOf(adminOverHttp, place)).slice(-1);
  expect(last).toMatchObject({ actor_name: 'Ana Reyes', action: 'unit_day.submit' });
});
