import { expect } from '@playwright/test';
import { openSignedIn } from '../../support/browser-person.ts';
import { listRow, messageRow, openChat } from '../../support/chat-page.ts';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { makeCase } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

let wardline: WardlineProcess;
test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline?.stop());

test('CHAT-17 CHAT-18 a doctor writes to the pharmacist on call; the next who takes over goes on, and the former one reads no more', {
  tag: NIGHTLY,
}, async ({ browser }) => {
  const doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test', { phone: true, dark: true });
  const pharmacist = await openSignedIn(browser, wardline.baseUrl, 'priya.nair@demo.test');
  const nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
  const box = (person: typeof doctor) => person.page().getByPlaceholder('Type your message here…');

  await doctor.page().goto('/people?view=on-call');
  await doctor.page().getByRole('link', { name: 'Night pharmacist', exact: true }).click();
  await expect(doctor.page().getByRole('note')).toContainText('Priya Nair is on call');
  await box(doctor).fill('Is vancomycin in stock?');
  await box(doctor).press('Enter');
  await expect(doctor.page()).toHaveURL(/\/c-/);
  await expect(doctor.page().getByRole('log')).toContainText('Priya Nair is on call as Night pharmacist');

  await pharmacist.page().goto(new URL(doctor.page().url()).pathname);
  await expect(pharmacist.page().getByRole('log')).toContainText('Is vancomycin in stock?');
  await expect(pharmacist.page().getByRole('note')).toContainText('You answer as Night pharmacist');
  await box(pharmacist).fill('Two vials.');
  await box(pharmacist).press('Enter');
  await expect(doctor.page().getByRole('log')).toContainText('Two vials.');
  await expect(doctor.page().getByRole('log')).toContainText('as Night pharmacist');
  await doctor.page().screenshot({ path: test.info().outputPath('doctor.png') });

  await nurse.page().goto('/people?view=on-call');
  await nurse.page().getByRole('button', { name: 'Take over Night pharmacist' }).click();
  const dialog = nurse.page().getByRole('dialog', { name: 'Take over: Night pharmacist' });
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await expect(dialog).toBeHidden();
  pharmacist.allowConsole(/404|403/, 'what is no longer theirs is asked for once more');
  await expect(pharmacist.page().getByText('Two vials.')).toHaveCount(0);
  await pharmacist.page().screenshot({ path: test.info().outputPath('pharmacist.png') });

  await nurse.page().goto(new URL(doctor.page().url()).pathname);
  await expect(nurse.page().getByRole('log')).toContainText('Two vials.');
  await box(nurse).fill('And one more on MED 3A.');
  await box(nurse).press('Enter');
  await expect(doctor.page().getByRole('log')).toContainText('And one more on MED 3A.');
  await nurse
    .page()
    .getByRole('button', { name: /in this chat/ })
    .click();
  await expect(nurse.page().getByRole('list', { name: 'On-call roles' })).toContainText('Ana Reyes until');
  await nurse.page().screenshot({ path: test.info().outputPath('nurse.png') });

  // On a phone by keys alone: the search that finds people finds the role.
  const doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const { path } = await makeCase(doctorOverHttp, [], 'Role Case');
  const at = await openChat(doctor.page(), path);
  await at.getByRole('button', { name: '1 person in this chat' }).press('Enter');
  await at.getByRole('dialog').getByRole('button', { name: 'Add people' }).press('Enter');
  const adding = at.getByRole('dialog', { name: 'Add people' });
  const search = adding.getByLabel('Search people and on-call roles');
  await search.fill('zzzz');
  await expect(adding.getByText('No person or on-call role found for “zzzz”.')).toBeVisible();
  await search.fill('night');
  const role = adding.getByRole('checkbox', { name: /^Night pharmacist/ });
  await expect(role).toBeVisible();
  await at.screenshot({ path: test.info().outputPath('adding.png') });
  await role.press('Space');
  await adding.getByRole('button', { name: 'Add to chat' }).press('Enter');
  // The clock has let in who holds it.
  const people = at.getByRole('dialog', { name: '2 people in this chat' });
  await expect(people.getByRole('list', { name: 'On-call roles' })).toContainText('Night pharmacist');

  await at.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter');
  await box(doctor).pressSequentially('Vancomycin trough, @night');
  await expect(at.getByRole('option', { name: 'Night pharmacist On call: Ana Reyes' })).toBeVisible();
  await box(doctor).press('Enter');
  await box(doctor).press('Enter');
  await expect(messageRow(at, 'Vancomycin trough, @Night pharmacist').getByText('Sent')).toBeVisible();
  await nurse.page().goto('/chats');
  await expect(listRow(nurse.page(), 'Role Case').getByRole('img', { name: 'You are mentioned' })).toBeVisible();

  await openChat(nurse.page(), path);
  await nurse.page().getByRole('button', { name: '2 people in this chat' }).click();
  const mine = nurse.page().getByRole('dialog');
  await expect(mine).toContainText('You are in this chat because you are on call as Night pharmacist until');
  await expect(mine.getByRole('button', { name: 'Leave chat' })).toHaveCount(0);
  await nurse.page().screenshot({ path: test.info().outputPath('in-by-role.png') });
  for (const { context } of [doctor, pharmacist, nurse]) await context.close();
});
