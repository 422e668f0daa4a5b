import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { formatDate } from '@wardline/format/dates.ts';
import { formatExact } from '@wardline/format/times.ts';
import { offsetMinutes } from '@wardline/format/zone.ts';
import { transformWithOxc } from 'vite';
import { type BrowserPerson, fillSignIn, openBrowser } from '../../support/browser-person.ts';
import { logOf } from '../../support/census/census-log.ts';
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
} from '../../support/census/census-reports.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { nightlyUnless } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

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

/** A unit's card on the board. */
function card(page: Page, unit: string): Locator {
  const cards = page.getByRole('region', { name: 'Units by pressure' }).getByRole('listitem');
  return cards.filter({ has: page.getByRole('heading', { name: unit, exact: true }) });
}

/** `21 Nov 2026`: within how the pages write a census date. */
function written({ date }: ReportPlace): string {
  return formatDate(date, 'dmy');
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
      await expect(card(page, 'ICU')).toContainText(/Late by\s*(\d+ h( \d+ min)?|\d+ min)/);
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

test('F-N16 this browser writes a moment of any zone to the letter as the server does', async ({ browser }) => {
  const page = await browser.newPage();
  // The sources themselves, as the browser's own engine runs them.
  await page.route('http://format.test/**', async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    const source = await readFile(new URL(`../../../packages/format/src/${name}`, import.meta.url), 'utf8');
    return route.fulfill({ contentType: 'text/javascript', body: (await transformWithOxc(source, name)).code });
  });
  await page.goto('http://format.test/');
  const zones = Intl.supportedValuesOf('timeZone');
  const instants = [0, 6, 12, 18]
    .map((hours) => Date.UTC(2026, 2, 29, hours, 59, 59))
    .concat(Date.UTC(2026, 10, 1, 5, 30));
  const asked = zones.flatMap((zone) => instants.map((instant) => [zone, instant] as const));
  const formats = [
    { hour_cycle: 'h23', date_order: 'dmy' },
    { hour_cycle: 'h12', date_order: 'mdy' },
  ] as const;
  const there = await page.evaluate(
    async ({ asked, formats }) => {
      const [times, zone] = ['http://format.test/times.ts', 'http://format.test/zone.ts'];
      const [{ formatExact: write }, { offsetMinutes: offset }] = [await import(times), await import(zone)];
      return asked.map(([zone, instant]) => ({
        offset: offset(zone, instant),
        texts: formats.map((one) => write(zone, instant, one)),
      }));
    },
    { asked, formats },
  );
  const here = asked.map(([zone, instant]) => ({
    offset: offsetMinutes(zone, instant),
    texts: formats.map((one) => formatExact(zone, instant, one)),
  }));
  // A few zones changed their law between the zone data of the two; the texts are told apart from that.
  const isSame = (index: number) => there[index]?.offset === here[index]?.offset;
  const known = here.filter((_, index) => isSame(index));
  expect(known.length).toBeGreaterThan(0.98 * asked.length);
  expect(there.filter((_, index) => isSame(index))).toEqual(known);
  await page.close();
});
