import { expect, type Page } from '@playwright/test';
import { failedLoad, NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { keptOnDevice } from '../../support/browser/device-search.ts';
import { type BrowserPerson, openSignedIn, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { logOf } from '../../support/census/census-log.ts';
import {
  count,
  openReport,
  pagePath,
  type ReportPlace,
  readReport,
  receipt,
  reportOf,
  sheet,
  submitReport,
} from '../../support/census/census-reports.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });
test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let proxy: CuttingProxy;
let nurseOverHttp: HttpPerson;
let supervisorOverHttp: HttpPerson;
let adminOverHttp: HttpPerson;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline();
  proxy = await startCuttingProxy(wardline.baseUrl);
  [nurseOverHttp, supervisorOverHttp, adminOverHttp] = await Promise.all([
    signInOverHttp(wardline.baseUrl, 'nurse@demo.test'),
    signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test'),
    signInOverHttp(wardline.baseUrl, 'admin@demo.test'),
  ]);
});
// Before the next test cuts the proxy, through which they all go.
test.afterEach(async () => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
});
test.afterAll(async () => {
  await proxy?.close();
  await wardline?.stop();
});

/** What the ward counted: five came, two of them from the emergency department; six left, two for other wards. */
async function fillSheet(page: Page): Promise<void> {
  await count(page, 'Admissions').fill('5');
  await page.getByLabel('You received, ED').fill('2');
  await count(page, 'Discharges').fill('4');
  for (const none of ['Deaths', 'of which under 48 h', 'Admitted and discharged same day', 'On leave']) {
    await count(page, none).fill('0');
  }
  await page.getByLabel('You sent, SUR 2B').fill('1');
  await page.getByLabel('You sent, ONC').fill('1');
  await count(page, 'Observation patients').fill('0');
  await count(page, 'Head count').fill('25');
}

async function submissions(place: ReportPlace): Promise<number> {
  return (await logOf(adminOverHttp, place)).filter(({ action }) => action === 'unit_day.submit').length;
}

test('CEN-2 a report typed and submitted on a phone with the network cut survives a killed tab and arrives exactly once', async ({
  browser,
}) => {
  const place = await reportOf(nurseOverHttp, 'MED 3A');
  // Her way to the server is the one that gets cut.
  const nurse = await signIn(browser, proxy.baseUrl, 'nurse@demo.test', { ownDevice: true, phone: true });
  people.push(nurse);
  const page = await openReport(nurse.page(), place);
  await untilOfflineReady(page);
  const kept = `census/day/${place.unit}/${place.date}`;
  await expect.poll(async () => (await keptOnDevice(page)).some((row) => row.includes(kept))).toBe(true);

  await cutNetwork(nurse, proxy);
  await fillSheet(page);
  await expect(page.getByRole('region', { name: 'Submit' })).toContainText('24 + 7 − 6');
  await submitReport(page);
  const waiting = page.getByText('Submitted on this device.', { exact: true });
  await expect(waiting).toBeVisible();

  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const reopened = await nurse.killTabAndReopen(pagePath(place));
  await expect(reopened.getByText('Submitted on this device.', { exact: true })).toBeVisible();
  await expect(sheet(reopened).getByLabel('Admissions', { exact: true })).toHaveText('5');
  expect((await readReport(nurseOverHttp, place)).status).toBe('draft');

  await restoreNetwork(nurse, proxy);
  await expect.poll(async () => (await readReport(nurseOverHttp, place)).status, { timeout: 60_000 }).toBe('submitted');
  await expect(receipt(reopened)).toBeVisible();
  await reopened.reload();
  await expect(sheet(reopened).getByLabel('Closing', { exact: true })).toHaveText('25');
  await expect(reopened.getByText('Submitted on this device.', { exact: true })).toBeHidden();
  expect(await readReport(nurseOverHttp, place)).toMatchObject({
    closing: 25,
    counts: { admissions: 5, transfers_in: 2, discharges: 4, transfers_out: 2, counted: 25 },
  });
  expect(await submissions(place)).toBe(1);
});

test('CEN-2 CEN-3 CEN-R9 CEN-R13 the second of two who begin the same report sees mine, theirs and before, chooses, and both versions are in the log', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const place = await reportOf(supervisorOverHttp, 'ICU');
  const kofi = await openSignedIn(browser, wardline.baseUrl, 'kofi.danso@demo.test');
  const owen = await openSignedIn(browser, proxy.baseUrl, 'owen.hart@demo.test');
  people.push(kofi, owen);
  const first = await openReport(kofi.page(), place);
  const second = await openReport(owen.page(), place);
  // The second does not hear of what the first saves before he has typed himself.
  await cutNetwork(owen, proxy);
  await count(second, 'Admissions').fill('2');
  await count(second, 'Discharges').fill('1');
  await count(first, 'Admissions').fill('3');
  await expect(first.getByText(/^Draft saved/).filter({ visible: true })).toBeVisible();
  owen.expectConsole(
    failedLoad(409, '/api/census/units/{unit}/days/{date}/{population}'),
    'his draft meets a newer version',
  );
  owen.expectConsole(/^warning: An item of the outbox was refused: conflict$/, 'his draft meets a newer version');
  await restoreNetwork(owen, proxy);

  await expect(second.getByText('Someone else changed this report.', { exact: true })).toBeVisible();
  await second.getByRole('button', { name: 'Compare' }).click();
  const compare = second.getByRole('dialog', { name: 'Two versions of this report' });
  const admissions = compare.getByRole('group', { name: /^Admissions/ });
  await expect(admissions).toContainText('both changed it');
  await expect(admissions).toContainText('Before: nothing');
  await admissions.getByRole('radio', { name: 'Theirs: 3' }).check();
  await admissions.getByRole('radio', { name: 'Mine: 2' }).check();
  await compare.getByRole('button', { name: 'Use these' }).click();
  await expect(compare).toBeHidden();
  await expect(second.getByText('Someone else changed this report.', { exact: true })).toBeHidden();
  await expect
    .poll(async () => (await readReport(supervisorOverHttp, place)).counts)
    .toMatchObject({
      admissions: 2,
      discharges: 1,
    });
  // The first page shows what the second made of it.
  await expect(count(first, 'Discharges')).toHaveValue('1');
  await expect(count(first, 'Admissions')).toHaveValue('2');
  // What was typed first left by itself once there was a network, and was refused: that is in the log too.
  const saves = (await logOf(adminOverHttp, place)).filter(
    ({ action, outcome }) => action === 'unit_day.save' && outcome === 'done',
  );
  expect(saves.map(({ actor_name, after }) => [actor_name, after?.['admissions']])).toEqual([
    ['Kofi Danso', 3],
    ['Owen Hart', 2],
  ]);
});
