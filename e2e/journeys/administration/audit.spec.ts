import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from '@playwright/test';
import { openSignedIn } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

const MAIN = path.join(import.meta.dirname, '../../../apps/server/dist/main.js');
let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

/** The operator's command, while the server runs. */
function verify(): { readonly status: number | null; readonly said: string } {
  const env = { ...process.env, WARDLINE_DATA: wardline.dataDir };
  const { status, stdout } = spawnSync(process.execPath, [MAIN, 'audit', 'verify'], { env, encoding: 'utf8' });
  return { status, said: stdout };
}

test('F-S4 ADM-3 an administrator finds by keyboard who saw a patient; the nurse sees that it was looked up; a changed entry is named', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test', { phone: true });
  await nurse.page().goto('/chats');
  await nurse
    .page()
    .getByRole('link', { name: /Edith Maron/ })
    .first()
    .click();
  await expect(nurse.page().getByRole('textbox', { name: /Message/ })).toBeVisible();

  const admin = await openSignedIn(browser, wardline.baseUrl, 'admin@demo.test');
  const page = admin.page();
  await page.goto('/settings/audit');
  await page.getByRole('button', { name: 'Patient or chat' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Who saw this patient' });
  await dialog.getByRole('searchbox').fill('maron');
  await dialog.getByRole('button', { name: /Edith Maron/ }).focus();
  await page.keyboard.press('Enter');
  const feed = page.getByRole('feed', { name: 'Audit log' });
  await expect(feed.getByRole('article').filter({ hasText: 'Ana Reyes · Opened the chat' }).first()).toBeVisible();

  await nurse.page().goto('/settings/readers');
  const readers = nurse.page().getByRole('feed', { name: 'Audit log' });
  await expect(readers.getByRole('article').filter({ hasText: 'Looked at the audit log' }).first()).toBeVisible();

  await expect.poll(() => verify().said).toMatch(/ 0 wait for their place[\s\S]*The audit is whole\./);
  await wardline.asDatabaseOwner(`
    set session_replication_role = replica;
    update audit_entries set actor_id = (select id from users where email = 'doctor@demo.test') where action = 'chat.read'
      and actor_id = (select id from users where email = 'nurse@demo.test');`);
  const { status, said } = verify();
  expect(status).toBe(1);
  expect(said).toMatch(/Place \d+ \(entry \d+\): was changed\./);
  await admin.context.close();
  await nurse.context.close();
});
