import { expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, fillSignIn, openBrowser, openSignedIn } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { DEMO_PASSWORD, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';
import { totpCode } from '../../support/totp.ts';

test.describe.configure({ timeout: 120_000 });

let wardline: WardlineProcess;
const people: BrowserPerson[] = [];

test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());
test.afterEach(async () => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
});

/** Presses Tab until the thing of this name has the focus, then the key. */
async function pressByKeyboard(page: Page, name: string, key = 'Enter'): Promise<void> {
  const isThere = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
  for (let step = 0; step < 80; step++) {
    if ((await isThere()).trim() === name) return page.keyboard.press(key);
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} was not reached by Tab`);
}

async function confirmPassword(page: Page): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible();
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
}

test('ACC-3 by keyboard alone: an app is set up, its code signs in, a recovery code does without it', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const person = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  people.push(person);
  const page = person.page();
  await page.goto('/settings#security');
  await expect(page.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible();
  person.expectConsole(failedLoad(423, '/user/two-factor-authentication'), 'the password is asked for first');
  await pressByKeyboard(page, 'Set up authenticator app');
  await confirmPassword(page);
  const key = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  await page.getByLabel('Code from the app').focus();
  await page.keyboard.type(totpCode(key));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [recoveryCode = ''] = await codes.getByRole('listitem').allInnerTexts();
  await pressByKeyboard(page, 'I have kept them');
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  const elsewhere = await openBrowser(browser, wardline.baseUrl, { phone: true });
  people.push(elsewhere);
  const phone = elsewhere.page();
  await phone.goto('/sign-in');
  await fillSignIn(phone, 'nurse@demo.test');
  await expect(phone.getByRole('textbox', { name: 'Code' })).toBeFocused();
  elsewhere.expectConsole(failedLoad(422, '/two-factor-challenge'), 'the code was used to set up');
  await phone.keyboard.type(totpCode(key));
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('This code is wrong or was used already')).toBeVisible();
  await phone.keyboard.type(totpCode(key, 1));
  await phone.keyboard.press('Enter');
  await expect(phone).toHaveURL(/\/dashboard$/);

  const third = await openBrowser(browser, wardline.baseUrl);
  people.push(third);
  await third.page().goto('/sign-in');
  await fillSignIn(third.page(), 'nurse@demo.test');
  await expect(third.page().getByRole('textbox', { name: 'Code' })).toBeFocused();
  await pressByKeyboard(third.page(), 'Use a recovery code');
  await expect(third.page().getByRole('textbox', { name: 'Recovery code' })).toBeFocused();
  await third.page().keyboard.type(recoveryCode.toUpperCase());
  await third.page().keyboard.press('Enter');
  await expect(third.page()).toHaveURL(/\/dashboard$/);
  await page.reload();
  await expect(page.getByText('9 of 10 left')).toBeVisible();
});

test('ACC-3 a passkey of a virtual authenticator is added, signs in without a password, and is refused once removed', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const origin = wardline.baseUrl.replace('127.0.0.1', 'localhost');
  const person = await openSignedIn(browser, origin, 'officer@demo.test');
  people.push(person);
  const page = person.page();
  const debug = await person.context.newCDPSession(page);
  await debug.send('WebAuthn.enable');
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto('/settings#security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Virtual key');
  person.expectConsole(failedLoad(423, '/api/user/passkeys/options'), 'the password is asked for first');
  await page.keyboard.press('Enter');
  await confirmPassword(page);
  await expect(page.getByRole('button', { name: 'Remove Virtual key' })).toBeVisible();

  await person.context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  person.allowConsole(/./, 'the session was taken away');
  // Nobody presses anything: the browser lists the passkey at the email field, and its person takes it there.
  await page.goto('/sign-in');
  await expect(page).toHaveURL(/\/dashboard$/);

  // A browser without such a list has the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  const signOutByForce = async () => {
    await page.evaluate(() => localStorage.clear());
    // What the page still asks for would bring the cookie back.
    await page.goto('about:blank');
    await person.context.clearCookies();
  };
  const usePasskey = async () => {
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
  };
  await signOutByForce();
  await usePasskey();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/settings#security');
  await page.getByRole('button', { name: 'Remove Virtual key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await confirmPassword(page);
  await expect(page.getByText('Passkey removed').first()).toBeVisible();
  await signOutByForce();
  await usePasskey();
  await expect(page.getByText('This passkey was not accepted. Sign in with your password.')).toBeVisible();
});
