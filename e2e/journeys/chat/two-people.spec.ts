import { expect, type Page } from '@playwright/test';
import { CUT_OFF, failedLoad, NOBODY_TO_ASK } from '../../support/browser/console-lines.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn, signIn, untilOfflineReady } from '../../support/browser-person.ts';
import { composer, openChat, shownTexts, timeline, write } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { readAllMessages } from '../../support/ledger.ts';
import { type MadeChat, makeCase } from '../../support/new-chats.ts';
import { isNightly, NIGHTLY } from '../../support/nightly.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 150_000 });
test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;
let proxy: CuttingProxy;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let doctorOverHttp: HttpPerson;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  proxy = await startCuttingProxy(wardline.baseUrl);
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  // The doctor's way to the server is the one that gets cut.
  doctor = await signIn(browser, proxy.baseUrl, 'doctor@demo.test', { ownDevice: true });
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await proxy?.close();
  await wardline?.stop();
});

/** A fresh case chat of the two. */
async function openCase(patientName: string): Promise<MadeChat> {
  return await makeCase(doctorOverHttp, [await signInOverHttp(wardline.baseUrl, 'nurse@demo.test')], patientName);
}

function open(person: BrowserPerson, path: string): Promise<Page> {
  return openChat(person.page(), path);
}

/** How much is written where the number proves no more. */
const MANY = isNightly ? 20 : 6;

test('CHAT-1 a message typed in one browser appears in the other', async () => {
  const { path } = await openCase('Odile Marsh');
  const [at, other] = [await open(doctor, path), await open(nurse, path)];
  const delays: number[] = [];
  for (let n = 1; n <= MANY; n++) {
    const text = `Potassium repeat number ${n}`;
    await composer(at).fill(text);
    const painted = other.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (document.querySelector('[role="log"]')?.textContent?.includes(wanted)) {
              requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
              return;
            }
            setTimeout(look, 1);
          };
          look();
        }),
      text,
    );
    const pressedAt = await at.evaluate(() => performance.timeOrigin + performance.now());
    await composer(at).press('Enter');
    delays.push((await painted) - pressedAt);
  }
  const median = delays.sort((a, b) => a - b)[MANY / 2];
  console.log(`CHAT-1 key press to paint in the other browser: median of ${MANY} ${median?.toFixed(0)} ms`);
  expect(await shownTexts(at, 'Potassium repeat')).toHaveLength(MANY);
});

test('CHAT-12 the other sees that somebody is typing and who is here', { tag: NIGHTLY }, async () => {
  const { path } = await openCase('Typing Case');
  const [at, other] = [await open(doctor, path), await open(nurse, path)];
  // Whoever is not connected yet hears nothing; a person goes on typing.
  await expect(async () => {
    await composer(at).pressSequentially('Wri');
    await expect(other.getByText(/is typing/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(other.getByText(/is typing/)).toBeHidden();
  await composer(at).fill('');
});

test('CHAT-3 messages written with the network cut survive a killed tab: once each, in order, on both sides', async () => {
  const { path, chatId } = await openCase('Blaise Orton');
  const at = await open(doctor, path);
  const other = await open(nurse, path);
  await untilOfflineReady(at);
  const wanted = Array.from({ length: MANY }, (_, n) => `Written offline ${String(n + 1).padStart(2, '0')}`);

  await cutNetwork(doctor, proxy);
  for (const text of wanted) await write(at, text);
  await expect.poll(() => shownTexts(at, 'Written offline')).toEqual(wanted);

  doctor.expectConsole(NOBODY_TO_ASK, 'opened without a network');
  const reopened = await doctor.killTabAndReopen(path);
  await expect.poll(() => shownTexts(reopened, 'Written offline'), { timeout: 30_000 }).toEqual(wanted);
  await expect(reopened.getByText(new RegExp(`${MANY} (messages )?wait`, 'i')).first()).toBeVisible();

  await restoreNetwork(doctor, proxy);
  await expect.poll(() => shownTexts(other, 'Written offline'), { timeout: 60_000 }).toEqual(wanted);
  await expect.poll(() => shownTexts(reopened, 'Written offline')).toEqual(wanted);
  const stored = (await readAllMessages(doctorOverHttp, chatId)).filter((row) =>
    row.body.startsWith('Written offline'),
  );
  expect(stored.map((row) => row.body)).toEqual(wanted);
});

test('R1 the server is killed between commit and answer: the message is there once, on both sides', {
  tag: NIGHTLY,
}, async () => {
  const { path, chatId } = await openCase('Ines Calder');
  const at = await open(doctor, path);
  const other = await open(nurse, path);
  for (const person of [doctor, nurse]) person.allowConsole(CUT_OFF, 'the server is killed');
  let restarted: Promise<void> | undefined;
  proxy.cutNextAnswer(/^POST .*\/messages/, () => {
    restarted = wardline.restart();
  });
  await write(at, 'Killed before the answer');
  await expect.poll(() => restarted !== undefined).toBe(true);
  await restarted;
  await write(at, 'Written after it');
  const wanted = ['Killed before the answer', 'Written after it'];
  for (const page of [at, other]) {
    await expect
      .poll(async () => (await shownTexts(page, '')).filter((line) => wanted.includes(line)), { timeout: 90_000 })
      .toEqual(wanted);
  }
  const bodies = (await readAllMessages(doctorOverHttp, chatId)).map((row) => row.body);
  expect(bodies.filter((body) => wanted.includes(body))).toEqual(wanted);
});

test('CHAT-6 who is taken out of a chat loses it at once, on the device too', async () => {
  const { path, chatId } = await openCase('Renata Fife');
  const other = await open(nurse, path);
  await write(await open(doctor, path), 'Only while you are here');
  await expect(timeline(other).getByText('Only while you are here')).toBeVisible();
  const nurseId = (await signInOverHttp(wardline.baseUrl, 'nurse@demo.test')).userId;
  nurse.allowConsole(failedLoad(404, '/api/chats/{chat}/*'), 'read by the time that she is taken out');
  nurse.allowConsole(/^warning: The channel chat\.\{chat\} was refused with status 403$/, 'joined by that time');
  const removed = await doctorOverHttp.send('DELETE', `/api/chats/${chatId}/participants/${nurseId}`, {});
  expect(removed?.status).toBe(204);
  await expect(other.getByText('Only while you are here')).toHaveCount(0);
});
