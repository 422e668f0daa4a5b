import { type BrowserContext, expect } from '@playwright/test';
import { v7 as newId } from 'uuid';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, fillSignIn, openBrowser, openSignedIn } from '../../support/browser-person.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { firstFacilityId } from '../../support/ledger.ts';
import { makeCase, say } from '../../support/new-chats.ts';
import { isNightly, NIGHTLY } from '../../support/nightly.ts';
import { chunksOf } from '../../support/servers/deploying-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

let wardline: WardlineProcess;
let guest: BrowserPerson;

test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());
test.beforeEach(async ({ browser }) => {
  guest = await openBrowser(browser, wardline.baseUrl);
});
test.afterEach(() => guest.context.close());

async function sessionCookie(context: BrowserContext) {
  const found = (await context.cookies()).find(({ name }) => name === 'wardline_session');
  if (found === undefined) throw new Error('There is no session cookie.');
  return found;
}

test('NAV-6 a deep link leads over the sign-in page to where it pointed, query and hash included', async () => {
  const page = guest.page();
  await page.goto('/403');
  await page.goto('/chats?from=mail#later');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const at = new URL(page.url());
  expect(at.pathname).toBe('/sign-in');
  expect(at.searchParams.get('redirect')).toBe('/chats?from=mail#later');

  await fillSignIn(page, 'doctor@demo.test');
  await expect(page.getByRole('heading', { name: 'Chats', level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${wardline.baseUrl}/chats?from=mail#later`);
  // The sign-in page was put in the place of the guarded one and then left for good: Back leads before both.
  await page.goBack();
  await expect(page).toHaveURL(`${wardline.baseUrl}/403`);
});

test('NAV-6 A38 a redirect that leads off the site is not followed', { tag: NIGHTLY }, async ({ browser }) => {
  const hostile = ['//evil.example', 'https:evil', '\\\\evil', '/\\evil', '"//evil.example"', 'javascript:1'];
  for (const redirect of isNightly ? hostile : hostile.slice(0, 2)) {
    const person = await openBrowser(browser, wardline.baseUrl);
    const page = person.page();
    await page.goto(`/sign-in?redirect=${encodeURIComponent(redirect)}`);
    await fillSignIn(page, 'doctor@demo.test');
    await expect(page, redirect).toHaveURL(`${wardline.baseUrl}/dashboard`);
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    // The same address once more, as somebody who is signed in already.
    await page.goto(`/sign-in?redirect=${encodeURIComponent(redirect)}`);
    await expect(page, redirect).toHaveURL(`${wardline.baseUrl}/dashboard`);
    await person.context.close();
  }
});

test('NAV-2 SHELL-3 a page that the browser has kept and only confirms (304) works as the first time', {
  tag: NIGHTLY,
}, async () => {
  const page = guest.page();
  // Without a service worker, as on a first visit, in a private window or over plain HTTP.
  await guest.context.route('**/sw.js', (route) => route.abort());
  for (let visit = 1; visit <= 3; visit++) {
    await page.goto('/sign-in');
    await expect(page.getByLabel('Email')).toBeVisible();
  }
});

test('NAV-2 somebody who is signed in is sent from the sign-in page to the dashboard', async () => {
  const page = guest.page();
  await page.goto('/sign-in');
  await fillSignIn(page, 'doctor@demo.test');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/sign-in');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
});

test('NAV-7 F-C6 signed out, nothing of a guarded page flashes and neither its code nor its data is asked for', {
  tag: NIGHTLY,
}, async () => {
  const page = guest.page();
  let asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.addInitScript(() => {
    const flashed: string[] = [];
    Object.assign(window, { flashed });
    new MutationObserver(() => {
      const frame = document.querySelector(':is(.app, .rail, .panes, .topbar):not(.boot-frame, .boot-frame *)');
      if (frame) flashed.push(frame.className);
    }).observe(document, { childList: true, subtree: true });
    // The frame of the signed-in pages stands in every shell; to a stranger no picture of it is painted.
    const look = () => {
      if (document.querySelector('.boot-frame')?.checkVisibility()) flashed.push('boot-frame');
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const publicPages = await chunksOf('_public');
  const settle = async (path: string) => {
    asked = [];
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    // With what the links in view fetch ahead, however busy the machine is.
    let before = -1;
    const isQuiet = () => {
      const isSame = asked.length === before;
      before = asked.length;
      return isSame && asked.some((url) => publicPages.has(url));
    };
    await expect.poll(isQuiet, { intervals: [500] }).toBe(true);
    return [...new Set(asked)].sort();
  };
  const facility = newId();
  const ofSignIn = await settle('/sign-in');
  for (const path of ['/dashboard', '/chats', '/chat', `/chat/f-${facility}`, `/chat/f-${facility}/c-${newId()}`]) {
    const ofGuarded = await settle(path);
    expect(ofGuarded.filter((url) => url.startsWith('/assets/'))).toEqual(
      ofSignIn.filter((url) => url.startsWith('/assets/')),
    );
    // The sign-in page offers the passkeys of the device.
    const offered = ['/api/passkeys/options'];
    expect(ofGuarded.filter((url) => url.startsWith('/api/') && !offered.includes(url))).toEqual([]);
    expect(await page.evaluate(() => (window as unknown as { flashed: string[] }).flashed)).toEqual([]);
  }
});

test('NAV-8 an unknown path is named whole, keeps its address and has status 404', { tag: NIGHTLY }, async () => {
  const page = guest.page();
  const path = '/no/such/page?ward=3A&bed=12#note';
  guest.expectConsole(failedLoad(404, '/no/such/page'), 'its status is 404');
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Page not found: ${path}`);
  expect(page.url()).toBe(wardline.baseUrl + path);
  await expect(page.getByRole('link', { name: 'Go to homepage' })).toBeVisible();
});

test('NAV-8 an id of the wrong form is a page that is Not Found, in its own words', { tag: NIGHTLY }, async () => {
  const page = guest.page();
  await page.goto('/sign-in');
  await fillSignIn(page, 'doctor@demo.test');
  await expect(page).toHaveURL(/\/dashboard$/);
  const facilityId = await firstFacilityId(await signInOverHttp(wardline.baseUrl, 'doctor@demo.test'));
  for (const path of ['/chat/f-12?tab=1#end', `/chat/f-${facilityId}/c-nonsense`]) {
    guest.expectConsole(failedLoad(404, path.replace(/[?].*/, '')), 'its status is 404');
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Page Not Found: ${path}`);
    expect(page.url()).toBe(wardline.baseUrl + path);
  }
});

test('contract: wrong credentials are said over the form, and a second try works', async () => {
  const page = guest.page();
  await page.goto('/sign-in');
  guest.expectConsole(failedLoad(422, '/login'), 'the password is wrong');
  await fillSignIn(page, 'doctor@demo.test', { password: 'not the password at all' });
  const email = page.getByLabel('Email');
  await expect(page.getByRole('alert')).toHaveText('These credentials do not match our records.');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(email).toHaveValue('doctor@demo.test');
  await fillSignIn(page, 'doctor@demo.test');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('contract: empty fields are named at the fields and nothing is sent', { tag: NIGHTLY }, async () => {
  const page = guest.page();
  await page.goto('/sign-in');
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The sign-in page offers the passkeys of the device.
    if (request.method() === 'POST' && pathname !== '/api/passkeys/options') sent.push(pathname);
  });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Enter your email.');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Enter your password.');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill('doctor@demo.test');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid', 'true');
  expect(sent).toEqual([]);
});

test('contract: the throttle of the server is said in words with the time to wait', { tag: NIGHTLY }, async () => {
  const page = guest.page();
  await page.goto('/sign-in');
  guest.expectConsole(failedLoad(422, '/login'), 'the password is wrong');
  guest.expectConsole(failedLoad(429, '/login'), 'it was wrong too often');
  for (let tries = 1; tries <= 5; tries++) {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/login'));
    await fillSignIn(page, 'operator@demo.test', { password: `wrong password number ${tries}` });
    expect((await answered).status()).toBe(422);
    await expect(page.getByRole('alert')).toHaveText('These credentials do not match our records.');
  }
  await fillSignIn(page, 'operator@demo.test', { password: 'wrong password once more' });
  await expect(page.getByRole('alert').filter({ hasText: /^Too many attempts\. Try again in \d+ s\.$/ })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test('A5 signing in gives a new session id, which no script can read and no foreign site sends', {
  tag: NIGHTLY,
}, async () => {
  const page = guest.page();
  const planted = 'A'.repeat(43);
  await guest.context.addCookies([
    { name: 'wardline_session', value: planted, url: wardline.baseUrl, httpOnly: true, sameSite: 'Lax' },
  ]);
  await page.goto('/sign-in');
  await expect(page.getByLabel('Email')).toBeVisible();
  const before = await sessionCookie(guest.context);
  await fillSignIn(page, 'doctor@demo.test');
  await expect(page).toHaveURL(/\/dashboard$/);
  const after = await sessionCookie(guest.context);
  expect(after).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(after.value).not.toBe(before.value);
  expect(after.value).not.toBe(planted);
  expect(await page.evaluate(() => document.cookie)).not.toContain('wardline_session');
  for (const old of [before.value, planted]) {
    const answer = await fetch(`${wardline.baseUrl}/api/user`, {
      headers: { accept: 'application/json', cookie: `wardline_session=${old}` },
    });
    expect(answer.status).toBe(401);
  }
});

test('ACC-1 somebody without a facility gets a page that says so, not an empty app', { tag: NIGHTLY }, async () => {
  const page = guest.page();
  await page.goto('/chats');
  await fillSignIn(page, 'newcomer@demo.test');
  await expect(page.getByRole('heading', { name: 'Waiting for access', level: 1 })).toBeVisible();
  await expect(page.getByText('has to add newcomer@demo.test')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Chats' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New chat' })).toHaveCount(0);
});

test('A16 a chat of a facility that is not mine shows nothing of itself, whatever the address', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const doctor = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const chat = await makeCase(doctor, [], 'Quillon Marker');
  await say(doctor, chat.chatId, 'A marker nobody else may read');
  const visitor = await openSignedIn(browser, wardline.baseUrl, 'visitor@demo.test');
  visitor.expectConsole(failedLoad(404, '/api/chats/{chat}'), 'there is no such chat for the visitor');
  // Joined while it is asked for.
  visitor.expectConsole(failedLoad(403, '/broadcasting/auth'), 'nor such a channel');
  visitor.expectConsole(/^warning: The channel chat\.\{chat\} was refused with status 403/, 'nor such a channel');
  for (const path of ['messages', 'participants']) {
    visitor.expectConsole(failedLoad(404, `/api/chats/{chat}/${path}`), 'the test asks for it');
  }
  const page = visitor.page();
  const answers: { path: string; status: number; body: string }[] = [];
  page.on('response', async (answer) => {
    const path = new URL(answer.url()).pathname;
    if (!path.startsWith('/api/')) return;
    answers.push({ path, status: answer.status(), body: await answer.text().catch(() => '') });
  });
  const ownFacility = await firstFacilityId(await signInOverHttp(wardline.baseUrl, 'visitor@demo.test'));

  // As a chat of one's own facility: there is no such chat, and no word says whether there is one elsewhere.
  await page.goto(`/chat/f-${ownFacility}/c-${chat.chatId}`);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this chat' })).toBeVisible();
  // Without how long ago each chat of the list was written in, which goes on meanwhile.
  const shown = async () =>
    (await page.getByRole('main').innerText()).replaceAll(/^(now|\d+ min ago|\d\d:\d\d)$/gm, '');
  const ofForeign = await shown();
  await page.goto(`/chat/f-${ownFacility}/c-${newId()}`);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this chat' })).toBeVisible();
  expect(await shown()).toBe(ofForeign);

  // At its own address: the same page as for a facility that does not exist.
  for (const path of [chat.path, `/chat/f-${newId()}/c-${chat.chatId}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible();
  }
  await page.waitForLoadState('networkidle');
  for (const path of ['', '/messages', '/participants']) {
    const asked = `/api/chats/${chat.chatId}${path}`;
    expect(await page.evaluate((url) => fetch(url).then((answer) => answer.status), asked), asked).toBe(404);
  }
  const ofTheChat = answers.filter(({ path }) => path.includes(chat.chatId));
  expect(ofTheChat.filter(({ status }) => status !== 404)).toEqual([]);
  expect(answers.filter(({ body }) => body.includes('Quillon') || body.includes('A marker'))).toEqual([]);
  await expect(page.getByText('Quillon')).toHaveCount(0);
  await visitor.context.close();
});
