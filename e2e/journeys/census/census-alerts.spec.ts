import { expect, type Locator, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { cutNetwork, restoreNetwork } from '../../support/browser/cut-network.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, timeline } from '../../support/chat-page.ts';
import { openAndSettle } from '../../support/demo-pages.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

const HIGH = 'ONC 94.44 % of 18 staffed beds; high is 92 %';
const GAP = /Transfer gap on .+: SUR 2B says 2 to ONC, ONC says 1/;

interface ChatRow {
  readonly id: string;
  readonly facility_id: string;
  readonly title: string;
}

let wardline: WardlineProcess;
let ruth: BrowserPerson;
let owen: BrowserPerson;
let path: string;
test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  const overHttp = await signInOverHttp(wardline.baseUrl, 'officer@demo.test');
  const { chats } = await overHttp.get<{ chats: ChatRow[] }>('/api/sync');
  const talk = chats.find(({ title }) => title === 'Census');
  if (talk === undefined) throw new Error('The alerts have no chat.');
  path = `/chat/f-${talk.facility_id}/c-${talk.id}`;
  ruth = await openSignedIn(browser, wardline.baseUrl, 'officer@demo.test', { phone: true });
  owen = await openSignedIn(browser, wardline.baseUrl, 'owen.hart@demo.test');
});
test.afterAll(async () => {
  await ruth?.context.close();
  await owen?.context.close();
  await wardline?.stop();
});

/** The row of the discussion in which an alert was raised. */
function raised(page: Page, alert: RegExp | string): Locator {
  return timeline(page)
    .getByRole('listitem')
    .filter({ hasText: /^Alert: / })
    .filter({ hasText: alert });
}

async function openTalk(page: Page): Promise<void> {
  await page.goto(path);
  await expect(composer(page)).toBeEditable();
}

test('CEN-9 an alert is acknowledged in the chat on a phone, the supervisor’s board shows it at once, and his chat names who did', {
  tag: NIGHTLY,
}, async () => {
  const [phone, board] = [ruth.page(), owen.page()];
  const talk = await owen.context.newPage();
  await openTalk(talk);
  await expect(raised(talk, GAP).getByRole('button', { name: 'Acknowledge' })).toBeVisible();
  await openAndSettle(board, '/census');
  const alerts = board.getByRole('region', { name: 'Alerts' });
  const onBoard = alerts.getByRole('listitem').filter({ hasText: GAP });
  await expect(onBoard.getByRole('button', { name: 'Acknowledge' })).toBeVisible();

  await openTalk(phone);
  await expect(raised(phone, HIGH)).toContainText('Acknowledged by Owen Hart');
  const button = raised(phone, GAP).getByRole('button', { name: 'Acknowledge' });
  await expect(button).toBeInViewport();
  expect(await axeViolations(phone)).toEqual([]);
  await button.click();

  await expect(raised(phone, GAP)).toContainText(/Acknowledged by Ruth Calloway, \d{1,2}:\d\d/);
  await expect(timeline(phone)).toContainText(/You acknowledged the alert: Transfer gap/);
  expect(await axeViolations(phone)).toEqual([]);
  await expect(onBoard).toContainText('acknowledged by Ruth Calloway');
  await expect(onBoard.getByRole('button')).toBeHidden();
  await expect(raised(talk, GAP)).toContainText(/Acknowledged by Ruth Calloway, \d{1,2}:\d\d/);
  await expect(timeline(talk)).toContainText(/Ruth Calloway acknowledged the alert: Transfer gap/);
  await talk.close();
});

test('CEN-9 OFF-1 without a network the button waits and says so; with it back it is pressed, and an open chat follows the board', {
  tag: NIGHTLY,
}, async () => {
  const [phone, board] = [ruth.page(), owen.page()];
  await wardline.asDatabaseOwner(
    `update census_alerts set acknowledged_at = null, acknowledged_by = null where rule = 'transfer_gap'`,
  );
  await openTalk(phone);
  const button = raised(phone, GAP).getByRole('button', { name: 'Acknowledge' });
  await expect(button).toBeEnabled();
  await cutNetwork(ruth);
  await expect(button).toBeDisabled();
  await expect(raised(phone, GAP)).toContainText('You are offline.');
  await restoreNetwork(ruth);
  await expect(button).toBeEnabled();

  await openAndSettle(board, '/census');
  const alerts = board.getByRole('region', { name: 'Alerts' });
  await alerts.getByRole('listitem').filter({ hasText: GAP }).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(raised(phone, GAP)).toContainText(/Acknowledged by Owen Hart, \d{1,2}:\d\d/);
  await expect(timeline(phone)).toContainText(/Owen Hart acknowledged the alert: Transfer gap/);
});
