import { expect, type Page } from '@playwright/test';
import { failedLoad, NO_HANDOVERS } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, fillSignIn, openBrowser } from '../../support/browser-person.ts';
import { composer, messageRow, openChat, write } from '../../support/chat-page.ts';
import { test } from '../../support/journey.ts';
import { type Fault, faults } from '../../support/laravel/faults.ts';
import { CHAT_PATH, EMAIL, PASSWORD } from '../../support/laravel/hospital.ts';
import { type Installation, startInstallation } from '../../support/laravel/installation.ts';
import { NIGHTLY, nightlyUnless } from '../../support/nightly.ts';

test.describe.configure({ timeout: 120_000 });

const MISMATCH = 'CSRF token mismatch, check your API configuration';
const NOT_LOADED = 'Unable to load user identity from API';
const MESSAGES = '/api/chats/{chat}/messages';
/** Whoever signs in while the session of before lives on is met by a redirect (F-L3). */
const SIGNED_IN_ALREADY = /^error: The server answered signIn with a redirect[.]/;
const EXPIRED = 'User session is not set in API or expired, resetting identity';

let there: Installation;
let person: BrowserPerson;
let said: string[];

test.beforeEach(async ({ browser }) => {
  there = await startInstallation('two ports');
  person = await openBrowser(browser, there.host.origin, { origins: [there.apiOrigin] });
  said = [];
  person.page().on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
});
test.afterEach(async () => {
  person.allowConsole(NO_HANDOVERS, 'this back end has none');
  await person.context.close();
  await there.stop();
});

const fill = (page: Page) => fillSignIn(page, EMAIL, { password: PASSWORD });

async function openSignIn(): Promise<Page> {
  const page = person.page();
  await page.goto('/sign-in');
  await expect(page.getByLabel('Email')).toBeVisible();
  return page;
}

/** A cookie of this host, which makes a start ask who is signed in (F-C6). */
async function hintAtSession(): Promise<void> {
  await person.context.addCookies([{ name: 'XSRF-TOKEN', value: 'of-another-app', url: there.host.origin }]);
}

async function openTheChat(): Promise<Page> {
  const page = await openSignIn();
  await fill(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  return await openChat(page, CHAT_PATH);
}

/** What a fault makes the console say, besides what a test looks at with {@link expectSaid}. */
function expectLines(...lines: readonly RegExp[]): void {
  for (const line of lines) person.expectConsole(line, 'the back end misbehaves so');
}

/** Said once, and meant. */
async function expectSaid(line: string): Promise<void> {
  expectLines(new RegExp(`^${line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  await expect.poll(() => said.filter((heard) => heard.startsWith(line)).length, { message: said.join('\n') }).toBe(1);
}

test.describe('a sign-in that fails says so at its place, and the next one works', () => {
  const KEPT = 'The server failed. What you entered is still here; try again.';
  const SIGN_IN = /POST \/login/;
  const refused = (how: number | string) => [failedLoad(how, '/login')];
  const failures: readonly {
    readonly title: string;
    readonly where: RegExp;
    readonly how: Fault;
    readonly text: string;
    /** What the client says of it, and what the browser does. */
    readonly said?: string;
    readonly lines?: readonly RegExp[];
  }[] = [
    {
      title: 'HTTP-5 a redirect',
      where: SIGN_IN,
      how: faults.redirectToLogin,
      text: KEPT,
      said: 'The server answered signIn with a redirect.',
      // Who is signed in there already is asked about; nobody is.
      lines: [failedLoad(401, '/api/user')],
    },
    {
      title: 'HTTP-7 a page of HTML',
      where: SIGN_IN,
      how: faults.htmlPage,
      text: KEPT,
      said: 'The answer of signIn does not fit at (whole): expected object',
    },
    {
      title: 'HTTP-7 an identity of another shape',
      where: /GET \/api\/user/,
      how: faults.wrongShape,
      text: KEPT,
      said: 'The answer of getUser does not fit at id: expected string',
      // The second try finds the session of the first.
      lines: [SIGNED_IN_ALREADY],
    },
    {
      title: 'AUTH-4 429 with Retry-After',
      where: SIGN_IN,
      how: faults.status(429, 'Too Many Attempts.', { 'retry-after': '30' }),
      text: 'Too many attempts. Try again in 30 s.',
      lines: refused(429),
    },
    { title: 'AUTH-4 500', where: SIGN_IN, how: faults.status(500, 'Server Error'), text: KEPT, lines: refused(500) },
    {
      title: 'AUTH-4 403',
      where: SIGN_IN,
      how: faults.status(403, 'This action is unauthorized.'),
      text: 'This action is unauthorized.',
      lines: refused(403),
    },
    {
      title: 'AUTH-4 a cut connection',
      where: SIGN_IN,
      how: faults.cut,
      text: 'The server could not be reached. Check the connection.',
      lines: refused('net::ERR_EMPTY_RESPONSE'),
    },
  ];
  for (const { title, where, how, text, said: line, lines = [] } of failures) {
    test(title, nightlyUnless(title.startsWith('HTTP-5') || title.includes('Retry-After')), async () => {
      const page = await openSignIn();
      expectLines(...lines);
      there.laravel.fault(where, how);
      await fill(page);
      await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
      if (line !== undefined) await expectSaid(`error: ${line}`);
      there.laravel.heal();
      await fill(page);
      await expect(page).toHaveURL(/\/dashboard$/);
    });
  }

  test('HTTP-7 an answer that does not come ends after 15 s', { tag: NIGHTLY }, async () => {
    const page = person.page();
    await page.clock.install();
    await openSignIn();
    there.laravel.fault(/POST \/login/, faults.silence);
    await fill(page);
    await expect.poll(() => there.laravel.asked.at(-1)).toBe('POST /login');
    await page.clock.fastForward(15_000);
    await expect(page.getByRole('alert').filter({ hasText: 'The server did not answer in 15 s.' })).toBeVisible();
  });

  test('AUTH-3 419 warns, and a sign-in is tried once more with a fresh token', async () => {
    const page = await openSignIn();
    there.laravel.fault(/POST \/login/, faults.status(419, 'CSRF token mismatch.'));
    expectLines(failedLoad(419, '/login'));
    await fill(page);
    await expect(
      page.getByRole('alert').filter({ hasText: 'This page was open for too long. Try again.' }),
    ).toBeVisible();
    await expectSaid(`warning: ${MISMATCH}`);
    expect(there.laravel.asked.slice(-3)).toEqual(['POST /login', 'GET /sanctum/csrf-cookie', 'POST /login']);
    there.laravel.heal();
    await fill(page);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('HTTP-3 a cookie that is still missing is warned of, and the request goes without', {
    tag: NIGHTLY,
  }, async () => {
    there.laravel.fault(/GET \/api\/user$/, faults.status(401, 'Unauthenticated.'));
    there.laravel.fault(/csrf-cookie/, faults.noCookie);
    expectLines(
      failedLoad(419, '/login'),
      /^warning: XSRF-TOKEN cookie is missing/,
      new RegExp(`^warning: ${MISMATCH}`),
    );
    const page = await openSignIn();
    await fill(page);
    await expect(
      page.getByRole('alert').filter({ hasText: 'This page was open for too long. Try again.' }),
    ).toBeVisible();
    expect(said).toContain('warning: XSRF-TOKEN cookie is missing, unable to set X-XSRF-TOKEN header');
    expect(there.laravel.asked).toContain('POST /login');
  });
});

test.describe('an identity that cannot be loaded is an error line, and the app goes on signed out', () => {
  /** How the browser says it, where the client alone does not. */
  const asking = (how: number | string) => failedLoad(how, '/api/user');
  const failures: readonly (readonly [title: string, how: Fault, asked: number, line: RegExp])[] = [
    ['AUTH-1 500, asked twice', faults.status(500, 'Server Error'), 2, asking(500)],
    ['AUTH-1 403, asked once', faults.status(403, 'This action is unauthorized.'), 1, asking(403)],
    [
      'AUTH-1 HTTP-5 a redirect to the login page',
      faults.redirectToLogin,
      1,
      /^error: The server answered getUser with a redirect[.]/,
    ],
    ['AUTH-1 HTTP-7 a page of HTML', faults.htmlPage, 1, /^error: The answer of getUser does not fit at \(whole\)/],
    ['AUTH-1 HTTP-7 another shape', faults.wrongShape, 1, /^error: The answer of getUser does not fit at id/],
    ['AUTH-1 HTTP-6 a cut connection, asked twice', faults.cut, 2, asking('net::ERR_EMPTY_RESPONSE')],
  ];
  for (const [title, how, asked, line] of failures) {
    test(title, nightlyUnless(title.startsWith('AUTH-1 500')), async () => {
      there.laravel.fault(/GET \/api\/user$/, how);
      expectLines(line);
      await hintAtSession();
      const page = person.page();
      await page.goto('/chats');
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expectSaid(`error: ${NOT_LOADED}`);
      expect(there.laravel.asked).toEqual(Array(asked).fill('GET /api/user'));
    });
  }

  test('AUTH-1 401 is no error: nothing is logged', async () => {
    await hintAtSession();
    expectLines(asking(401));
    await openSignIn();
    expect(there.laravel.asked).toEqual(['GET /api/user']);
  });

  test('HTTP-6 a read that fails once is repeated after what Retry-After says, and nobody notices', async () => {
    const page = await openTheChat();
    // The page that is there asks as well; the failure is for the next one.
    await page.waitForLoadState('networkidle');
    there.laravel.fault(/GET \/api\/user$/, faults.status(503, 'Service Unavailable', { 'retry-after': '1' }), 1);
    expectLines(asking(503));
    await page.reload();
    await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
    expect(said.filter((line) => line.includes(NOT_LOADED))).toEqual([]);
  });
});

test.describe('in the middle of work', () => {
  test('AUTH-2 401: one warning, the sign-in page with the way back; what was written is sent after signing in', async () => {
    const page = await openTheChat();
    there.laravel.fault(/POST .*\/messages$/, faults.status(401, 'Unauthenticated.'));
    expectLines(failedLoad(401, MESSAGES), SIGNED_IN_ALREADY);
    await write(page, 'Written in an ended session.');
    await expect(page.getByText('Your session ended; your draft is kept.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(CHAT_PATH);
    await expectSaid(`warning: ${EXPIRED}`);
    there.laravel.heal();
    await fill(page);
    await expect(messageRow(page, 'Written in an ended session.')).toContainText('Sent');
    expect(page.url()).toBe(there.host.origin + CHAT_PATH);
  });

  test('AUTH-2 a text that was being typed is there after signing in again', { tag: NIGHTLY }, async () => {
    const page = await openTheChat();
    await composer(page).fill('Half a sentence');
    there.laravel.fault(/GET \/api\//, faults.status(401, 'Unauthenticated.'));
    // Whichever is asked for first finds it out.
    expectLines(failedLoad(401, '/api/*'), new RegExp(`^warning: ${EXPIRED}`), SIGNED_IN_ALREADY);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText('Your session ended; your draft is kept.')).toBeVisible();
    there.laravel.heal();
    await fill(page);
    await expect(composer(page)).toHaveValue('Half a sentence');
  });

  test('AUTH-3 AUTH-2 a store of sessions that was emptied: 419 warns and keeps the message, which goes after signing in', {
    tag: NIGHTLY,
  }, async () => {
    const page = await openTheChat();
    there.laravel.fault(/POST .*\/messages$/, faults.status(419, 'CSRF token mismatch.'));
    expectLines(failedLoad(419, MESSAGES), failedLoad(401, '/api/*'), new RegExp(`^warning: ${MISMATCH}`));
    person.allowConsole(new RegExp(`^warning: ${EXPIRED}`), 'where the message goes again before the page is left');
    person.allowConsole(
      failedLoad(419, '/api/chats/{chat}/markers'),
      'where the read marker goes before the page is left',
    );
    await write(page, 'Into an empty store of sessions.');
    await expect(messageRow(page, 'Into an empty store of sessions.')).toContainText('Waiting to send');
    await expect.poll(() => said.some((line) => line === `warning: ${MISMATCH}`)).toBe(true);
    there.laravel.endSessions();
    there.laravel.heal();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await fill(page);
    await expect(messageRow(page, 'Into an empty store of sessions.')).toContainText('Sent');
  });

  const refusals: readonly (readonly [status: number, text: string])[] = [
    [403, 'You can’t write in this chat.'],
    [404, 'You are no longer in this chat, or whom you write to has left.'],
    [409, 'This client id was used for another text.'],
    [422, 'The body field is required.'],
  ];
  for (const [status, text] of refusals) {
    test(
      `AUTH-4 ${status} on a write is said beside the message, with what to do next`,
      nightlyUnless(status === 422),
      async () => {
        const page = await openTheChat();
        there.laravel.fault(/POST .*\/messages$/, faults.status(status, text));
        expectLines(
          failedLoad(status, MESSAGES),
          new RegExp(`^warning: An item of the outbox was refused: http_${status}`),
        );
        await write(page, 'Refused at first.');
        const row = messageRow(page, 'Refused at first.');
        await expect(row).toContainText('Not sent');
        await expect(row).toContainText(text);
        there.laravel.heal();
        await row.getByRole('button', { name: 'Retry' }).click();
        await expect(row).toContainText('Sent');
      },
    );
  }

  const pauses: readonly (readonly [title: string, how: Fault, line?: RegExp])[] = [
    ['429', faults.status(429, 'Too Many Attempts.', { 'retry-after': '1' }), failedLoad(429, MESSAGES)],
    ['500', faults.status(500, 'Server Error'), failedLoad(500, MESSAGES)],
    ['503', faults.status(503, 'Service Unavailable'), failedLoad(503, MESSAGES)],
    ['a cut connection', faults.cut],
    ['a page of HTML', faults.htmlPage, /^error: The answer of sendMessage does not fit/],
  ];
  for (const [title, how, line] of pauses) {
    test(
      `RTA-6 ${title} on a write keeps the message waiting until it goes by itself, once`,
      nightlyUnless(title === '503'),
      async () => {
        const page = await openTheChat();
        there.laravel.fault(/POST .*\/messages$/, how, 1);
        // Over a connection that was used before Chromium itself tries a cut request again.
        if (line !== undefined) expectLines(line);
        await write(page, 'Delayed a little.');
        const row = messageRow(page, 'Delayed a little.');
        await expect(row).toContainText('Sent');
        expect(there.laravel.hospital.messages().filter(({ body }) => body === 'Delayed a little.')).toHaveLength(1);
      },
    );
  }

  test('RTA-2 a channel that is refused is logged with its status, and the chat is read without it', async () => {
    there.laravel.fault(/POST \/broadcasting\/auth/, faults.status(403, 'This action is unauthorized.'));
    expectLines(failedLoad(403, '/broadcasting/auth'), /^warning: The channel App\.Models\.User\.\{user\} was refused/);
    const page = await openTheChat();
    await expect(messageRow(page, 'Bed 4 is ready.')).toBeVisible();
    await expectSaid('warning: The channel chat.{chat} was refused with status 403');
  });
});
