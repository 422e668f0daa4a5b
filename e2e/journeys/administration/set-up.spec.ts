import { type Browser, expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { type BrowserPerson, openBrowser } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { linkMailedTo } from '../../support/servers/mailbox.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const PASSWORD = 'violet tram over the harbour';
const LINK = /http:\/\/127\.0\.0\.1:\d+\/setup#\S{43}/;

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline({}, { isEmpty: true });
});
test.afterAll(() => wardline.stop());

/** From field to field, as they stand. */
async function typeInto(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
}

async function signUp(browser: Browser, link: string, name: string): Promise<BrowserPerson> {
  const person = await openBrowser(browser, wardline.baseUrl, { phone: true });
  const page = person.page();
  const email = `${name.split(' ')[0]?.toLowerCase()}@hospital.example`;
  await page.goto(link);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Ask for your link' })).toBeVisible();
  await page.goto(await linkMailedTo(wardline, email));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  return person;
}

test('A51 ACC-1 ADM-1 from an empty database to a facility with units and people, by the link in the log', async ({
  browser,
}) => {
  const link = LINK.exec(wardline.output())?.[0] ?? '';
  const ruth = await openBrowser(browser, wardline.baseUrl);
  const page = ruth.page();
  await page.goto(link);
  await expect(page.getByLabel('Facility name')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  // By the keyboard alone; between the password and what follows stands the button that shows it.
  await page.getByLabel('Name', { exact: true }).focus();
  await typeInto(page, ['Ruth Okafor', 'ruth@hospital.example', PASSWORD]);
  await page.keyboard.press('Tab');
  await typeInto(page, ['St. Hedwig', 'sh', 'Europe/Berlin']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/settings\/facility$/);
  await expect(page.getByText('1 of 7 done')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  const late = await openBrowser(browser, wardline.baseUrl);
  late.expectConsole(/^failed load: 404 \S+\/api\/setup\/\S{43}$/, 'the link was used');
  await late.page().goto(link);
  await expect(late.page().getByText('This set-up link is not valid here.')).toBeVisible();
  await late.context.close();

  await page.getByRole('link', { name: /Add your units/ }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const lines = page.getByLabel('Or paste the lines');
  await lines.fill('code,name,licensed,physical,staffed\nICU,Intensive care,12,12,30');
  await page.getByRole('button', { name: 'Check the lines' }).click();
  await expect(page.getByText('More beds are staffed than there are.')).toBeVisible();
  await lines.fill('code,name,licensed,physical,staffed\nICU,Intensive care,12,12,10\nMED,Medicine,20,20,18');
  await page.getByRole('button', { name: 'Check the lines' }).click();
  await page.getByRole('button', { name: 'Store units and beds' }).click();
  await expect(page.getByText('2 units added')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('button', { name: 'Edit ICU' })).toBeVisible();

  await page.goto('/census');
  await expect(page.getByRole('heading', { name: 'No counts yet' })).toBeVisible();
  await page.goto('/settings/facility');
  await page.getByRole('link', { name: /Invite your colleagues/ }).click();
  await expect(page).toHaveURL(/\/settings\/facility#invitations$/);
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  await page.getByRole('checkbox', { name: 'Clinician' }).check();
  await page
    .getByRole('button', { name: /^(Create|Make|Invite).*/ })
    .last()
    .click();
  const invitation = await page.getByRole('textbox', { name: /link/i }).inputValue();
  const ana = await signUp(browser, invitation, 'Ana Abel');
  await ana.page().goto('/census');
  await expect(ana.page().getByRole('heading', { name: 'Census', exact: true })).toBeVisible();

  ana.expectConsole(/The channel census\.\{facility\} was refused with status 403/, 'she may no longer hear of it');
  // ACC-7: what is taken closes her open page.
  await page.goto('/settings/facility');
  await page.getByRole('button', { name: 'Roles of Ana Abel' }).click();
  await page.getByRole('checkbox', { name: 'Clinician' }).click();
  await expect(page.getByRole('checkbox', { name: 'Clinician' })).not.toBeChecked();
  await expect(ana.page()).toHaveURL(/\/403$/);
  await Promise.all([ruth, ana].map(({ context }) => context.close()));
});

test('A51 a start after it prints no link, and the old one leads nowhere', async () => {
  const link = new URL(LINK.exec(wardline.output())?.[0] ?? '');
  const before = wardline.output().length;
  await wardline.restart();
  expect(wardline.output().slice(before)).not.toContain('/setup');
  expect((await fetch(`${link.origin}/api/setup/${link.hash.slice(1)}`)).status).toBe(404);
});
