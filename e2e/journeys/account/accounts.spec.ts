import { type Browser, expect } from '@playwright/test';
import { failedLoad, SESSION_IS_OVER } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, fillSignIn, openBrowser, openSignedIn } from '../../support/browser-person.ts';
import { composer, messageRow } from '../../support/chat-page.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { linkMailedTo, mailsTo } from '../../support/servers/mailbox.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

const PASSWORD = 'nine quiet lanterns by the pier';
const NEXT_PASSWORD = 'seven loud kettles on the shelf';
const LINA = 'lina.park@hospital.test';

let wardline: WardlineProcess;
let invitation = '';
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline({ WARDLINE_SIGN_UP: 'open' });
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
});

let browser: Browser;
test.beforeEach(({ browser: given }) => {
  browser = given;
});

/** Somebody at a browser of their own, closed after the test. */
async function comer(options: { phone?: boolean } = {}): Promise<BrowserPerson> {
  const person = await openBrowser(browser, wardline.baseUrl, options);
  people.push(person);
  return person;
}

/** The page of a session that ends asks who is signed in, and says that nobody is. */
function expectEnd(person: BrowserPerson, why: string): void {
  person.expectConsole(failedLoad(401, '/api/user'), why);
  person.expectConsole(SESSION_IS_OVER, why);
}

test('ACC-1 from an invitation through the mailed link to the first message', async () => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  people.push(admin);
  const settings = admin.page();
  await settings.goto('/settings#invitations');
  await settings
    .getByRole('button', { name: /Invite/ })
    .first()
    .click();
  await settings.getByLabel('Note').fill('For Lina');
  await settings.getByLabel('Clinician').check();
  await settings
    .getByRole('dialog')
    .getByRole('button', { name: /Make|Create|Invite/ })
    .click();
  invitation = await settings.getByLabel('Link').inputValue();
  expect(invitation).toMatch(/\/sign-up\?invitation=[\w-]{43}$/);

  const lina = await comer({ phone: true });
  const page = lina.page();
  await page.goto(invitation);
  await expect(page.getByText('invites you')).toBeVisible();
  await page.getByLabel('Name').fill('Lina Park');
  await page.getByLabel('Email').fill(LINA);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Ask for your link' })).toBeVisible();

  await page.goto(await linkMailedTo(wardline, LINA));
  await expect(page.getByText('Your address is confirmed.')).toBeVisible();
  await fillSignIn(page, LINA, { password: PASSWORD });
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.getByRole('link', { name: /Chats/ }).first().click();
  await page.getByRole('button', { name: 'New chat' }).last().click();
  await page.getByRole('radio', { name: 'Team' }).check({ force: true });
  await page.getByLabel('Title').fill('First week');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await composer(page).fill('Hello, this is Lina.');
  await page.keyboard.press('Enter');
  await expect(messageRow(page, 'Hello, this is Lina.')).toBeVisible();
});

test('ACC-1 an invitation that was used says so, and lets nobody in', { tag: NIGHTLY }, async () => {
  const person = await comer();
  const guest = person.page();
  person.expectConsole(failedLoad(404, '/api/invitations/{invitation}'), 'the invitation was used');
  await guest.goto(invitation);
  await expect(guest.getByText('This invitation is no longer valid.')).toBeVisible();
  await expect(guest.getByLabel('Password', { exact: true })).toHaveCount(0);
});

test('ACC-1 an open sign-up ends on a page that says one waits to be admitted', { tag: NIGHTLY }, async () => {
  const person = await comer();
  const page = person.page();
  await page.goto('/sign-up');
  await page.getByLabel('Name').fill('Omar Idris');
  await page.getByLabel('Email').fill('omar@hospital.test');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Ask for your link' })).toBeVisible();
  const link = await linkMailedTo(wardline, 'omar@hospital.test');

  // The password alone opens nothing: only who also holds the link gets in.
  const stranger = await comer();
  const elsewhere = stranger.page();
  stranger.expectConsole(failedLoad(422, '/login'), 'an address that is not confirmed lets nobody in');
  await elsewhere.goto('/sign-in');
  await fillSignIn(elsewhere, 'omar@hospital.test', { password: PASSWORD });
  await expect(elsewhere.getByText('These credentials do not match our records.')).toBeVisible();

  await page.goto(link);
  await fillSignIn(page, 'omar@hospital.test', { password: PASSWORD });
  await expect(page.getByRole('heading', { name: 'Waiting for access' })).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
});

test('ACC-5 A9 a forgotten password is set by the mailed link, once, and ends every session', {
  tag: NIGHTLY,
}, async () => {
  const signedIn = await comer();
  await signedIn.page().goto('/sign-in');
  await fillSignIn(signedIn.page(), LINA, { password: PASSWORD });
  await expect(signedIn.page()).toHaveURL(/\/dashboard$/);
  const known = (await mailsTo(wardline, LINA)).length;

  const forgetful = await comer();
  const page = forgetful.page();
  forgetful.expectConsole(failedLoad(422, '/reset-password'), 'the link is followed a second time');
  expectEnd(signedIn, 'the new password ends every session');
  await page.goto('/sign-in');
  await page.getByRole('link', { name: /Forgot/ }).click();
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
  await page.getByLabel('Email').fill(LINA);
  await page.getByRole('button', { name: /link/i }).click();
  await expect(page.getByText('If there is an account with this address, a link is on its way.')).toBeVisible();
  const link = await linkMailedTo(wardline, LINA, known);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill(NEXT_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText(/Your password is set/)).toBeVisible();
  await expect(signedIn.page()).toHaveURL(/\/sign-in/, { timeout: 20_000 });

  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('This link is no longer valid. Ask for a new one.')).toBeVisible();

  await page.goto('/sign-in');
  await fillSignIn(page, LINA, { password: NEXT_PASSWORD });
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('A3 an address that nobody has is answered on the page as one that somebody has', { tag: NIGHTLY }, async () => {
  const text: string[] = [];
  for (const address of [LINA, 'nobody.at.all@hospital.test']) {
    const page = (await comer()).page();
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(address);
    await page.getByRole('button', { name: /link/i }).click();
    await expect(page.getByText('If there is an account with this address')).toBeVisible();
    text.push((await page.getByRole('main').innerText()).replaceAll(address, '{address}'));
  }
  expect(text[0]).toBe(text[1]);
  expect(await mailsTo(wardline, 'nobody.at.all@hospital.test')).toEqual([]);
});

test('ACC-5 a new address counts once its link was followed in a session of its account', {
  tag: NIGHTLY,
}, async () => {
  const next = 'lina.park.new@hospital.test';
  const person = await comer();
  const page = person.page();
  await page.goto('/sign-in');
  await fillSignIn(page, LINA, { password: NEXT_PASSWORD });
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill(next);
  await page.getByRole('dialog').getByRole('textbox', { name: 'Password', exact: true }).fill(NEXT_PASSWORD);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Send|Change/ })
    .click();
  await expect(page.getByText(next).first()).toBeVisible();
  const link = await linkMailedTo(wardline, next);

  // Somebody else who got hold of the link is asked to sign in, and it counts for nobody but its account.
  const stranger = (await comer()).page();
  await stranger.goto(link);
  await expect(stranger).toHaveURL(/\/sign-in/);

  await page.goto(link);
  await expect(page.getByText('Your address is verified.')).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByText(next).first()).toBeVisible();
  expect((await mailsTo(wardline, LINA)).at(-1)?.text).toContain('Your account has another address now.');
});

test('ACC-5 a session is ended from another one, and its page is left at once', { tag: NIGHTLY }, async () => {
  const next = 'lina.park.new@hospital.test';
  const onWard = await comer();
  const ward = onWard.page();
  expectEnd(onWard, 'the other session ends this one');
  await ward.goto('/sign-in');
  await fillSignIn(ward, next, { password: NEXT_PASSWORD });
  await expect(ward).toHaveURL(/\/dashboard$/);
  const carried = await comer({ phone: true });
  const phone = carried.page();
  await phone.goto('/sign-in');
  await fillSignIn(phone, next, { password: NEXT_PASSWORD });
  await expect(phone).toHaveURL(/\/dashboard$/);

  carried.expectConsole(failedLoad(423, '/api/user/sessions'), 'the password is asked for again');
  await phone.goto('/settings#sessions');
  await phone.getByRole('button', { name: /all other|everywhere else/i }).click();
  await phone
    .getByRole('dialog')
    .getByRole('button', { name: /sign out|end/i })
    .last()
    .click();
  const confirmation = phone.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Password', { exact: true }).fill(NEXT_PASSWORD);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(ward).toHaveURL(/\/sign-in/, { timeout: 20_000 });
  await expect(phone.locator('#devices').getByText('This device')).toBeVisible();
});
