import { expect } from '@playwright/test';
import { CUT_OFF, failedLoad, NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { keptOnDevice } from '../../support/browser/device-search.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, write } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { type MadeChat, makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 150_000 });

let wardline: WardlineProcess;
let ward: BrowserPerson;
let phone: BrowserPerson;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  ward = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  phone = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
});
test.afterAll(async () => {
  await ward?.context.close();
  await phone?.context.close();
  await wardline?.stop();
});

async function openCase(patientName: string): Promise<MadeChat> {
  const [doctor, nurse] = [
    await signInOverHttp(wardline.baseUrl, 'doctor@demo.test'),
    await signInOverHttp(wardline.baseUrl, 'nurse@demo.test'),
  ];
  return await makeCase(doctor, [nurse], patientName);
}

test('CHAT-10 A32 what is begun at the ward’s computer is gone on with on the phone, and sent from there', {
  tag: NIGHTLY,
}, async () => {
  const { path, facilityId } = await openCase('Draft Walker');
  const [at, mobile] = [await openChat(ward.page(), path), phone.page()];
  await mobile.goto(`/chat/f-${facilityId}`);
  await expect(listRow(mobile, 'Draft Walker')).toBeVisible();
  await composer(at).fill('Zinnober potassium 6');
  await expect(listRow(mobile, 'Draft Walker')).toContainText('Draft: Zinnober potassium 6');
  // A shared device keeps nothing of what was typed elsewhere.
  expect((await keptOnDevice(mobile)).filter((line) => line.includes('Zinnober'))).toEqual([]);

  await listRow(mobile, 'Draft Walker').click();
  await expect(composer(mobile)).toHaveValue('Zinnober potassium 6');
  await write(mobile, 'Zinnober potassium 6.8, please repeat');
  await expect(messageRow(at, 'please repeat')).toBeVisible();
  await expect(composer(at)).toHaveValue('');
  expect((await keptOnDevice(at)).filter((line) => line.includes('Zinnober'))).toEqual([]);
});

test('CHAT-10 R1 two devices write while the server is killed: the other text is offered, and nothing is lost', {
  tag: NIGHTLY,
}, async () => {
  const { path } = await openCase('Draft Killer');
  const [at, mobile] = [await openChat(ward.page(), path), await openChat(phone.page(), path)];
  for (const person of [ward, phone]) {
    person.allowConsole(CUT_OFF, 'the server is gone');
    person.allowConsole(NOBODY_TO_ASK, 'the server is gone while the page asks who is there');
    person.allowConsole(failedLoad(409, '/api/chats/{chat}/draft'), 'one of the two saves second');
  }
  await wardline.kill();
  await composer(at).fill('From the ward');
  await composer(mobile).fill('From the phone');
  await at.waitForTimeout(6_000);
  await wardline.restart();
  const offers = [at, mobile].map((page) => page.getByRole('region', { name: 'Draft from another device' }));
  const isOffered = async () => (await Promise.all(offers.map((offer) => offer.count()))).join('');
  await expect.poll(isOffered, { timeout: 60_000 }).toMatch(/^(01|10)$/);
  const [loser, winner] = (await isOffered()) === '10' ? [at, mobile] : [mobile, at];
  await loser.getByRole('button', { name: 'Add to mine' }).click();
  await expect(composer(winner)).toHaveValue(/^From the (ward|phone)\nFrom the (ward|phone)$/, { timeout: 30_000 });
  expect(await composer(loser).inputValue()).toBe(await composer(winner).inputValue());
});
