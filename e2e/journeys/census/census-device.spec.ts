import { expect, type Locator, type Page } from '@playwright/test';
import { v7 as newId } from 'uuid';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad, NOBODY_TO_ASK, SIGN_OUT_OWED } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { keptOnDevice } from '../../support/browser/device-search.ts';
import { type BrowserPerson, fillSignIn, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { logOf } from '../../support/census/census-log.ts';
import { apiPath, type ReportPlace, readReport, reportOf } from '../../support/census/census-reports.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });
test.use({ serviceWorkers: 'allow' });

const NURSE = 'nurse@demo.test';

let wardline: WardlineProcess;
let proxy: CuttingProxy;
let nurseOverHttp: HttpPerson;
let adminOverHttp: HttpPerson;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline();
  proxy = await startCuttingProxy(wardline.baseUrl);
  [nurseOverHttp, adminOverHttp] = await Promise.all([
    signInOverHttp(wardline.baseUrl, NURSE),
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

/** The nurse at a device whose way to the server can be cut. */
async function nurseAt(
  browser: Parameters<typeof signIn>[0],
  options: { readonly ownDevice: boolean; readonly phone?: boolean },
) {
  const nurse = await signIn(browser, proxy.baseUrl, NURSE, options);
  people.push(nurse);
  await untilOfflineReady(nurse.page());
  return nurse;
}

/** Opens the grid of a date; what it needs to open again without a network is on the device. */
async function openGrid(page: Page, { date }: ReportPlace): Promise<void> {
  await page.goto(`/census-unit?view=all&date=${date}`);
  await expect(row(page, 'MED 3A')).toBeVisible();
}

function row(page: Page, code: string): Locator {
  return page.getByRole('grid').getByRole('row', { name: new RegExp(`^${code}`) });
}

async function cell(page: Page, code: string, head: string): Promise<Locator> {
  await expect(row(page, code)).toBeVisible();
  const heads = await page.getByRole('grid').getByRole('columnheader').allTextContents();
  // The unit's name is a head of its own.
  return row(page, code)
    .getByRole('gridcell')
    .nth(heads.indexOf(head) - 1);
}

async function typeCell(page: Page, { code, head, text }: { code: string; head: string; text: string }): Promise<void> {
  await (await cell(page, code, head)).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** The rows of this device's databases. */
async function kept(page: Page): Promise<string[]> {
  return (await keptOnDevice(page)).filter((one) => one.startsWith('database:'));
}

async function saves(place: ReportPlace): Promise<number> {
  return (await logOf(adminOverHttp, place)).filter(({ action }) => action === 'unit_day.save').length;
}

const waits = 'Kept here, waiting for the network';

/** What axe finds in the open list at 320 px, and how many of its lines are cut off there. */
async function listOnTheNarrowestPhone(page: Page): Promise<{ axe: string[]; cutOff: number }> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const lines = page.getByRole('dialog').locator('.lrow-text');
  const isCutOff = (all: Element[]) => all.filter((line) => line.scrollWidth > line.clientWidth).length;
  const found = { axe: await axeViolations(page), cutOff: await lines.evaluateAll(isCutOff) };
  if (size) await page.setViewportSize(size);
  return found;
}

test('CEN-2 CEN-4 two cells typed in the grid with the network cut survive a killed tab, stand in the report too, and are stored once each', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const [med, sur] = [await reportOf(nurseOverHttp, 'MED 3A'), await reportOf(nurseOverHttp, 'SUR 2B')];
  // The demo hospital has handed this one in already.
  const { version } = await readReport(nurseOverHttp, sur);
  await nurseOverHttp.send('POST', `${apiPath(sur)}/withdraw`, { client_id: newId(), version });
  expect((await readReport(nurseOverHttp, sur)).status).toBe('draft');
  const before = [await saves(med), await saves(sur)];
  const nurse = await nurseAt(browser, { ownDevice: true, phone: true });
  const page = nurse.page();
  await openGrid(page, med);
  await cutNetwork(nurse, proxy);
  await typeCell(page, { code: 'MED 3A', head: 'Admissions', text: '5' });
  await typeCell(page, { code: 'SUR 2B', head: 'Discharges', text: '2' });
  for (const code of ['MED 3A', 'SUR 2B']) await expect(row(page, code)).toContainText(waits);

  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const reopened = await nurse.killTabAndReopen(`/census-unit?view=all&date=${med.date}`);
  // On some weekdays it is said of the figure that it is unusual.
  await expect(await cell(reopened, 'MED 3A', 'Admissions')).toHaveText(/^5\b/);
  await expect(await cell(reopened, 'SUR 2B', 'Discharges')).toHaveText(/^2\b/);
  for (const code of ['MED 3A', 'SUR 2B']) await expect(row(reopened, code)).toContainText(waits);

  // The same list for all that waits, and the same draft in the report.
  await reopened.getByRole('button', { name: 'Show unsent' }).click();
  const list = reopened.getByRole('dialog', { name: 'Not sent yet' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('Report, begun · waiting for the network');
  expect(await listOnTheNarrowestPhone(reopened)).toEqual({ axe: [], cutOff: 0 });
  await list.getByRole('link', { name: /^MED 3A/ }).click();
  await expect(reopened.getByRole('textbox', { name: 'Admissions', exact: true })).toHaveValue('5');
  await reopened.goto(`/census-unit?view=all&date=${med.date}`);
  await expect(await cell(reopened, 'MED 3A', 'Admissions')).toHaveText(/^5\b/);

  await restoreNetwork(nurse, proxy);
  await expect
    .poll(async () => (await readReport(nurseOverHttp, med)).counts['admissions'], { timeout: 60_000 })
    .toBe(5);
  await expect.poll(async () => (await readReport(nurseOverHttp, sur)).counts['discharges']).toBe(2);
  await expect(row(reopened, 'MED 3A')).not.toContainText(waits);
  await expect.poll(async () => (await keptOnDevice(reopened)).filter((one) => one.includes('/outbox '))).toEqual([]);
  expect([await saves(med), await saves(sur)]).toEqual(before.map((count) => count + 1));
});

test('A32 A33 CEN-4 unsent cells on a shared device: asked about at sign-out, kept unreadable, sent after the same person signs in', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const med = await reportOf(nurseOverHttp, 'MED 3A');
  const nurse = await nurseAt(browser, { ownDevice: false });
  const page = nurse.page();
  await openGrid(page, med);
  await cutNetwork(nurse, proxy);
  await typeCell(page, { code: 'MED 3A', head: 'Discharges', text: '7' });
  await expect(row(page, 'MED 3A')).toContainText(waits);
  await page.getByRole('button', { name: /^Ana Reyes/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('dialog', { name: '1 report is not sent yet' });
  await expect(question).toContainText('It stays on this device, encrypted');
  nurse.allowConsole(SIGN_OUT_OWED, 'signed out of without a network');
  nurse.allowConsole(failedLoad(401, '/logout'), 'told when the network returned');
  await question.getByRole('button', { name: 'Keep and sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  const rows = await kept(page);
  expect(rows.filter((one) => one.includes('/outbox '))).toHaveLength(1);
  expect(
    rows.filter((one) => one.includes('[key') || one.includes('discharges') || one.includes('census/draft')),
  ).toEqual([]);
  expect((await readReport(nurseOverHttp, med)).counts['discharges']).toBeNull();

  await restoreNetwork(nurse, proxy);
  await page.goto('/sign-in');
  await fillSignIn(page, NURSE);
  await expect
    .poll(async () => (await readReport(nurseOverHttp, med)).counts['discharges'], { timeout: 60_000 })
    .toBe(7);
});

test('CEN-5 after a reload with the network cut the board is there and says how old it is, and nothing of it after a sign-out', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await nurseAt(browser, { ownDevice: true, phone: true });
  const page = nurse.page();
  await page.goto('/census');
  await expect(page.getByRole('region', { name: 'Facility total' })).toBeVisible();
  await expect.poll(async () => (await kept(page)).some((one) => one.includes('census/board/'))).toBe(true);
  await cutNetwork(nurse, proxy);
  nurse.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  await page.reload();
  await expect(page.getByText(/^Not up to date\./)).toBeVisible();
  await expect(page.getByRole('main').getByText(/As of .+ (just now|ago); offline\./)).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: 'Facility total' })
      .getByText(/^as of /)
      .first(),
  ).toBeVisible();
  await restoreNetwork(nurse, proxy);
  await expect(page.getByText(/^Not up to date\./)).toBeHidden({ timeout: 60_000 });
  await expect(page.getByText(/^as of /)).toHaveCount(0);
  await page.getByRole('button', { name: /^Ana Reyes/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await kept(page)).filter((one) => one.includes('census/'))).toEqual([]);
});

test('NAV-5 where the rail lists the census’s pages no tabs repeat them; on a phone the tabs are the way', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const page = (await nurseAt(browser, { ownDevice: true, phone: true })).page();
  await page.goto('/census-unit');
  const tabs = page.getByRole('navigation', { name: 'Census', exact: true });
  await expect(tabs.getByRole('link', { name: 'Unit report' })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(tabs).toBeHidden();
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Board', exact: true })
    .click();
  await expect(page).toHaveURL(/\/census$/);
});
