import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { openChat } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { freePort, startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const NUMBER = '99-000-690';

let wardline: WardlineProcess;
let mllpPort: number;
let nurse: BrowserPerson;
let machine: HttpPerson;
let path: string;
let facility: string;

test.beforeAll(async ({ browser }) => {
  mllpPort = await freePort();
  wardline = await startWardline({ WARDLINE_MLLP_PORT: String(mllpPort), WARDLINE_MLLP_FACILITY: 'SB' });
  const overHttp = (mailbox: string) => signInOverHttp(wardline.baseUrl, `${mailbox}@demo.test`);
  path = (await makeCase(await overHttp('doctor'), [await overHttp('nurse')], 'Lena Laboratory', `MRN ${NUMBER}`)).path;
  facility = /f-([0-9a-f-]+)/.exec(path)?.[1] ?? '';
  await wardline.asDatabaseOwner(
    "update roles set permissions = permissions || '{census.feed}' where 'results.assign' = any(permissions)",
  );
  machine = await overHttp('nurse');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await nurse?.context.close();
  await wardline?.stop();
});

/** As the laboratory sends it now. */
function result(number: string, filler: string, [value, flag, status]: readonly [string, string, string]): string {
  const at = `${new Date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`;
  return [
    `MSH|^~\\&|LIS|CORELAB|WARDLINE||${at}||ORU^R01|${filler}-${status}|P|2.5.1`,
    `PID|1||${number}||Laboratory^Lena`,
    `OBR|1||${filler}|24321-2^Renal profile^LN|||${at}|||||||||||||||${at}|||${status}`,
    `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L|3.5-5.3|${flag}|||${status}`,
  ].join('\r');
}

async function send(message: string): Promise<void> {
  const answer = await machine.send('POST', '/api/census/feeds/hl7', { facility, message });
  expect(answer?.body).toMatchObject({ code: 'AA' });
}

/** As an interface engine does: over a socket, waiting for the acknowledgement. */
async function sendByMllp(message: string): Promise<void> {
  const socket = connect(mllpPort, '127.0.0.1', () => socket.write(`\u000b${message}\u001c\r`));
  const [answer] = await once(socket, 'data');
  socket.end();
  expect(String(answer)).toContain('MSA|AA|');
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('EXAM-5 a potassium of 7.1 comes from the laboratory: the chat says it, and the nurse is called', {
  tag: NIGHTLY,
}, async () => {
  const page = await openChat(nurse.page(), path);
  await sendByMllp(result(NUMBER, 'J-1', ['7.1', 'HH', 'F']));
  await expect(
    page.getByText(/received from the laboratory \(CORELAB\): Renal profile, final\. Critical/),
  ).toBeVisible();
  const alert = page.getByRole('region', { name: 'Critical result', exact: true });
  await expect(alert).toContainText('Potassium 7.1 mmol/L');
  await expect(alert).toContainText('To everyone in this chat');
  await page
    .getByRole('link', { name: /Renal profile/ })
    .first()
    .click();
  await expect(page.getByText('Final result, from the laboratory.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Potassium/ })).toContainText('Critically high');
  await expectAccessible(page);
});

test('EXAM-3 a correction makes the next version, and says what changed', { tag: NIGHTLY }, async () => {
  const page = nurse.page();
  await page.waitForTimeout(1000);
  await send(result(NUMBER, 'J-1', ['4.1', 'N', 'C']));
  await expect(page.getByText('Corrected result, from the laboratory.')).toBeVisible();
  const changed = page.getByRole('region', { name: 'What changed' });
  await expect(changed).toContainText('7.1');
  await expect(changed).toContainText('4.1');
  await expectAccessible(page);
});

test('EXAM-1 a result of nobody here waits, and is assigned with a reason', { tag: NIGHTLY }, async () => {
  const page = nurse.page();
  await send(result('77-000-001', 'J-2', ['4.4', 'N', 'F']));
  await page.goto('/settings/laboratory');
  const card = page.getByRole('article', { name: 'Renal profile, Lena Laboratory' });
  await expect(card).toContainText('No chat is about a patient with this number.');
  await expectAccessible(page);
  await card.getByRole('button', { name: /^Assign/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign Renal profile' });
  nurse.expectConsole(
    failedLoad(422, '/api/facilities/{facility}/laboratory-results/{result}/assign'),
    'the patient differs, and no reason was given',
  );
  await dialog.getByLabel('Chat', { exact: true }).selectOption({ label: `Lena Laboratory, MRN ${NUMBER}` });
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(
    dialog.getByText('Of this patient the number differs. Say why the result is theirs.').first(),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Old number; asked the laboratory');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('No results to assign')).toBeVisible();
  await page.getByRole('group', { name: 'Show' }).getByText('Messages').click();
  await expect(page.getByRole('row', { name: /J-2-F/ })).toContainText('1 in a chat');
  await expectAccessible(page);
});

test('EXAM-5 a critical result of nobody here calls who may assign it, until it is set aside', {
  tag: NIGHTLY,
}, async () => {
  const page = nurse.page();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await send(result('77-000-002', 'J-3', ['7.4', 'HH', 'F']));
  const called = page.getByText('A critical laboratory result matches no chat.');
  await expect(called.first()).toBeVisible();
  const line = page.getByText('1 laboratory result to assign at St. Brigid General, critical.');
  await expect(line).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Assign', exact: true }).click();
  await page.getByRole('button', { name: 'Set aside: Renal profile of Lena Laboratory' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set Renal profile aside?' });
  await dialog.getByLabel('Reason').fill('Of an outpatient.');
  await dialog.getByRole('button', { name: 'Set aside' }).click();
  await expect(page.getByText('No results to assign')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(line).toBeHidden();
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeHidden();
});

test('EXAM-1 who sets the facility up is led from the census settings to the laboratory, and sees how it is heard', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test', { phone: true });
  const page = admin.page();
  await page.goto('/census?view=settings#feed');
  await page.getByRole('link', { name: 'Laboratory results' }).click();
  await page.getByRole('group', { name: 'Show' }).getByText('Set-up').click();
  await expect(page.getByLabel('Codes of the laboratory')).toBeVisible();
  await expectAccessible(page);
  await admin.context.close();
});
