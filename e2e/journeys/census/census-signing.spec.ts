import { expect, type Locator, type Page } from '@playwright/test';
import { CUT_OFF, failedLoad } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import {
  count,
  openReport,
  passDeadline,
  type ReportPlace,
  readReport,
  receipt,
  reportOf,
  submitReport,
  writeReport,
} from '../../support/census/census-reports.ts';
import { dayOf } from '../../support/census/census-sheets.ts';
import { listRow, timeline } from '../../support/chat-page.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let supervisorOverHttp: HttpPerson;
let nurse: BrowserPerson;
let officer: BrowserPerson;
let kofi: BrowserPerson;
let med: ReportPlace;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  await passDeadline(wardline);
  supervisorOverHttp = await signInOverHttp(wardline.baseUrl, 'owen.hart@demo.test');
  med = await reportOf(supervisorOverHttp, 'MED 3A');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  officer = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test');
  kofi = await openSignedIn(browser, wardline.baseUrl, 'kofi.danso@demo.test');
  await openAndSettle(officer.page(), '/census-summary');
});
test.afterAll(async () => {
  await Promise.all([nurse, officer, kofi].map((person) => person?.context.close()));
  await wardline?.stop();
});

/** The bar under the day, with what blocks the signature. */
function signBar(page: Page): Locator {
  return page.locator('.sum-sign');
}

function blockers(page: Page): Locator {
  return page.getByRole('list', { name: 'What blocks signing' });
}

/** Opens a unit's report in the summary, as its reviewer sees it. */
async function review(page: Page, unit: string): Promise<Locator> {
  await page
    .getByRole('list', { name: 'Reports' })
    .getByRole('button', { name: new RegExp(`^${unit}`) })
    .click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${unit}, `) });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function approve(page: Page, unit: string): Promise<void> {
  const dialog = await review(page, unit);
  await dialog.getByRole('button', { name: `Approve ${unit}` }).click();
  await expect(dialog).toBeHidden();
  await expect(blockers(page)).not.toContainText(unit === 'SUR 2B' ? 'SUR 2B to approve' : unit);
}

const RETURNED_WITH = 'Bay 4 says one patient more on leave.';
const ACCEPTED_WITH = 'One patient moved at 23:58 and was counted by both.';
const REOPENED_WITH = 'A discharge slip of 23:40 turned up in the morning.';

/** What was done in this hospital, as its log tells it, the oldest first. */
const SENTENCES = [
  /Ruth Calloway returned SUR 2B, .+: Bay 4 says one patient more on leave\./,
  /Ana Reyes submitted SUR 2B, .+, closing 19, counted 18\b/,
  /Ruth Calloway approved ICU, /,
  /Ruth Calloway accepted the transfer gap of .+: One patient moved at 23:58/,
  /Ruth Calloway signed .+: 8 of 8 units, transfer gap 1\./,
  /Submitting by Ana Reyes was refused on MED 3A, .+: the day is locked\.Refused/,
  /Ruth Calloway reopened .+: late slip\.After approval/,
  /Ruth Calloway opened MED 3A, .+ for a correction: late slip\./,
  /Ana Reyes changed discharges 1 to 2, head count 23 to 22 on MED 3A, .+, after approval: late slip\./,
];

test('CEN-3 CEN-6 CEN-10 a report goes back with a reason, its discussion stands in the nurse’s chats, and her correction is approved', async () => {
  const [page, hers] = [officer.page(), nurse.page()];
  await expect(blockers(page)).toContainText('SUR 2B to approve');
  const dialog = await review(page, 'SUR 2B');
  await dialog.getByRole('button', { name: 'Return', exact: true }).click();
  await dialog.getByRole('button', { name: 'Return SUR 2B' }).click();
  await expect(dialog.getByText('Enter a reason of at least 5 characters.')).toBeVisible();
  await dialog.getByLabel('What needs correcting').fill(RETURNED_WITH);
  await dialog.getByRole('button', { name: 'Return SUR 2B' }).click();
  await expect(dialog).toBeHidden();
  await expect(blockers(page)).toContainText('SUR 2B returned');

  await hers.goto('/chats');
  await listRow(hers, 'SUR 2B · ').click();
  await expect(timeline(hers)).toContainText(RETURNED_WITH);

  const sur = await reportOf(supervisorOverHttp, 'SUR 2B');
  await openReport(hers, sur);
  await expect(hers.getByRole('main')).toContainText(`Returned. ${RETURNED_WITH}`);
  await count(hers, 'On leave').fill('1');
  await count(hers, 'Head count').fill('18');
  await submitReport(hers);
  await expect(receipt(hers)).toBeVisible();

  await expect(blockers(page)).toContainText('SUR 2B to approve');
  await approve(page, 'SUR 2B');
  expect(await readReport(supervisorOverHttp, sur)).toMatchObject({ status: 'approved', counts: { on_leave: 1 } });
});

test('CEN-3 CEN-6 CEN-R7 a missing unit keeps the day from being signed, and the bar says which', async () => {
  const page = officer.page();
  // Her own way to the server is gone while she writes; the house supervisor reports the ward in her stead.
  await openReport(nurse.page(), med);
  await cutNetwork(nurse);
  await nurse.page().getByRole('button', { name: 'Nothing changed' }).click();
  await count(nurse.page(), 'Head count').fill('24');
  await submitReport(nurse.page());
  await expect(nurse.page().getByText('Submitted on this device.', { exact: true })).toBeVisible();
  await writeReport(supervisorOverHttp, med, { submit: true, counts: { discharges: 1 } });
  await expect(blockers(page)).toContainText('MED 3A to approve');
  await approve(page, 'MED 3A');

  await expect(signBar(page).getByRole('heading')).toHaveText('2 things block signing');
  await expect(blockers(page).getByRole('listitem')).toHaveText(['ICU report missing', 'Transfer gap 1: SUR 2B, ONC']);
  await expect(signBar(page).getByRole('button', { name: /^Sign and lock/ })).toBeDisabled();
  await expect(page.getByRole('heading', { name: /7 of 8 units in; .*ICU missing/ })).toBeVisible();

  const his = await openReport(kofi.page(), await reportOf(supervisorOverHttp, 'ICU'));
  await count(his, 'Admissions').fill('0');
  await his.getByLabel('You received, ED').fill('1');
  await his.getByLabel('You received, SUR 2B').fill('1');
  for (const none of ['Discharges', 'Deaths', 'of which under 48 h']) await count(his, none).fill('0');
  await his.getByLabel('You sent, SUR 2B').fill('1');
  for (const none of ['Admitted and discharged same day', 'On leave', 'Observation patients']) {
    await count(his, none).fill('0');
  }
  await count(his, 'Head count').fill('10');
  await submitReport(his);
  await expect(receipt(his)).toContainText('late');
  await blockers(page).getByRole('button', { name: 'ICU to approve' }).click();
  const report = page.getByRole('dialog', { name: /^ICU, / });
  await report.getByRole('button', { name: 'Approve ICU' }).click();
  await expect(report).toBeHidden();
  await expect(blockers(page)).toBeFocused();
});

test('CEN-3 CEN-6 CEN-R7 CEN-R17 a hospital total that holds the ICU twice is named as that, a transfer gap is accepted in words, and the day is signed and locked', async () => {
  const page = officer.page();
  nurse.allowConsole(CUT_OFF, 'she is still without a network');
  await expect(signBar(page).getByRole('heading')).toHaveText('Signing needs a reason');
  await signBar(page)
    .getByRole('button', { name: /^Sign and lock/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /^Sign / });
  await dialog.getByRole('button', { name: /^Sign and lock/ }).click();
  await expect(dialog.getByText('Enter a reason of at least 5 characters.')).toBeVisible();
  await dialog.getByLabel('Why a transfer gap of 1 is accepted').fill(ACCEPTED_WITH);
  const { units } = await dayOf(supervisorOverHttp, med.facility, med.date);
  const sum = units.reduce((all, { closing }) => all + (closing ?? 0), 0);
  const icu = units.find(({ unit_code }) => unit_code === 'ICU')?.closing ?? 0;
  const total = dialog.getByLabel('Total from another source');
  await total.fill(String(sum + icu));
  await dialog.getByRole('button', { name: /^Sign and lock/ }).click();
  await expect(total).toHaveAccessibleDescription(
    `${sum + icu} counts ICU twice: the units add up to ${sum}, and its ${icu} are in that already.`,
  );
  await total.fill('1e3');
  await dialog.getByRole('button', { name: /^Sign and lock/ }).click();
  await expect(total).toHaveAccessibleDescription('Write a whole number, digits only.');
  expect((await dayOf(supervisorOverHttp, med.facility, med.date)).status).toBe('open');
  await total.fill(String(sum));
  await dialog.getByRole('button', { name: /^Sign and lock/ }).click();
  await expect(signBar(page).getByRole('heading')).toHaveText(/ is signed and locked$/);
  await expect(signBar(page)).toContainText('By Ruth Calloway');
  await expect(signBar(page)).toContainText('log head');
});

test('CEN-3 CEN-R12 what arrives for a locked day is refused, and the page says so', async () => {
  const page = nurse.page();
  nurse.allowConsole(CUT_OFF, 'she was without a network until now');
  nurse.expectConsole(failedLoad(422, '/api/census/units/{unit}/days/{date}/{population}'), 'the day is locked');
  nurse.expectConsole(/^warning: An item of the outbox was refused: unprocessable/, 'so is what waited for it');
  await restoreNetwork(nurse);
  await expect(page.getByText('The day was locked before this report arrived.')).toBeVisible();
  await expect(page.getByText('Locked.', { exact: true })).toBeVisible();
  expect(await readReport(supervisorOverHttp, med)).toMatchObject({ status: 'locked', counts: { discharges: 1 } });

  await page.getByRole('button', { name: 'Resolve' }).click();
  const compare = page.getByRole('dialog', { name: 'Two versions of this report' });
  await expect(compare).toContainText('Yours can only be kept here or discarded.');
  await compare.getByRole('button', { name: 'Discard mine' }).click();
  await expect(compare).toBeHidden();
  await expect(page.getByText('The day was locked before this report arrived.')).toBeHidden();
});

test('CEN-3 CEN-6 CEN-R19 a locked day is not reopened without a kind of reason and words; reopened, it is corrected, approved and signed again', async () => {
  const [page, hers] = [officer.page(), nurse.page()];
  await signBar(page).getByRole('button', { name: 'Reopen' }).click();
  const dialog = page.getByRole('dialog', { name: /^Reopen / });
  await dialog.getByRole('button', { name: /^Reopen / }).click();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').selectOption('late_slip');
  await dialog.getByLabel('Details').fill('    slip');
  await dialog.getByRole('button', { name: /^Reopen / }).click();
  await expect(dialog.getByText('Enter a reason of at least 5 characters.')).toBeVisible();
  expect((await dayOf(supervisorOverHttp, med.facility, med.date)).status).toBe('locked');
  await dialog.getByLabel('Details').fill(REOPENED_WITH);
  await dialog.getByRole('button', { name: /^Reopen / }).click();
  await expect(page.getByText(`Reopened. ${REOPENED_WITH}`)).toBeVisible();

  const report = await openReport(page, med);
  await report.getByRole('button', { name: 'Amend' }).click();
  const amend = report.getByRole('dialog', { name: /^Amend MED 3A/ });
  await amend.getByLabel('Kind of reason').selectOption('late_slip');
  await amend.getByLabel('Why is it changed?').fill(REOPENED_WITH);
  await amend.getByRole('button', { name: 'Open for correction' }).click();
  await expect(amend).toBeHidden();

  await openReport(hers, med);
  await expect(hers.getByRole('main')).toContainText(`Being corrected. ${REOPENED_WITH}`);
  await count(hers, 'Discharges').fill('2');
  await count(hers, 'Head count').fill('22');
  await submitReport(hers);
  await expect(receipt(hers)).toBeVisible();

  await openAndSettle(page, '/census-summary');
  await approve(page, 'MED 3A');
  await signBar(page)
    .getByRole('button', { name: /^Sign and lock/ })
    .click();
  const sign = page.getByRole('dialog', { name: /^Sign / });
  await sign.getByLabel('Why a transfer gap of 1 is accepted').fill(ACCEPTED_WITH);
  await sign.getByRole('button', { name: /^Sign and lock/ }).click();
  await expect(signBar(page).getByRole('heading')).toHaveText(/ is signed and locked$/);
  expect(await readReport(supervisorOverHttp, med)).toMatchObject({ status: 'locked', counts: { discharges: 2 } });
});

test('CEN-7 the log tells all of it in sentences, and its chain is verified without a break', async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = admin.page();
  await openAndSettle(page, '/census-logs');
  const log = page.getByRole('feed', { name: 'Log' });
  for (const sentence of SENTENCES.toReversed()) {
    const entry = log.getByRole('article').filter({ hasText: sentence }).first();
    // Only what is near the screen is drawn.
    await expect(async () => {
      if ((await entry.count()) === 0) await log.getByRole('article').last().scrollIntoViewIfNeeded();
      await expect(entry).toBeAttached({ timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
  }
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByRole('complementary', { name: 'Chain' })).toContainText('No break found');
  await admin.context.close();
});
