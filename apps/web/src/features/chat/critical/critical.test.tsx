// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalAlert, ReadBack } from '@wardline/contract/chat/critical.ts';
import { readBackCritical, receiveCritical } from '@wardline/contract/chat/critical-acts.ts';
import type { Urgent } from '@wardline/contract/chat/urgent.ts';
import { listUrgent, type WaitingUrgent } from '@wardline/contract/chat/urgent-acts.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import type { MessageActs } from '#/features/chat/message-acts/message-acts.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { UrgentBanner } from '#/features/chat/urgent/urgent-banner.tsx';
import { UrgentCard } from '#/features/chat/urgent/urgent-card.tsx';
import { UrgentWaiting } from '#/features/chat/urgent/urgent-waiting.tsx';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, fakeMessage, leila, mira } from '#/testing/fake-chats.ts';

const chats = createFakeChatRuntime();
beforeEach(chats.reset);

const at = '2026-11-20T03:10:00.000Z';
const by = (who: typeof ana) => ({ user_id: who.id, name: who.name });
const alert: CriticalAlert = {
  ...{ id: edith.id, examination_id: edith.id, title: 'Renal profile', report_version: 1, category: 'minutes' },
  ...{ state: 'received', version: 3, read_backs: [] },
  findings: [
    {
      ...{ field: 'potassium', label: 'Potassium', value: '6.8', interpretation: 'HH' },
      unit: { code: 'mmol/L', label: 'mmol/L' },
    },
  ],
  times: {
    ...{ identified_at: at, notified_at: at, received_at: at, read_back_at: null, acted_at: null, closed_at: null },
  },
};
const called = (who: typeof ana) => ({
  ...{ user_id: who.id, name: who.name, role: null, called_at: at, times: 1 },
  ...{ delivered_at: at, seen_at: at, accepted_at: null },
});
const urgent: Urgent = {
  ...{ state: 'calling', version: 1, step: 0, due_at: null, next: null, steps: [{ after_min: 4320, call: 'again' }] },
  targets: { people: [by(ana)], role: null },
  people: [called(ana), called(leila)],
  entries: [
    { at, kind: 'sent', by: by(mira), called: [ana.name], note: null },
    { at, kind: 'misread', by: by(ana), called: [], note: 'value of Potassium' },
  ],
  critical: alert,
};
const said: Message = { ...fakeMessage(9, mira, 5, 'Critical: Potassium 6.8 mmol/L, HH'), urgent };

function card(given: Partial<Urgent> = {}, me = ana) {
  const app = createFakeApp();
  const acts = { myId: me.id, change: vi.fn() } as unknown as MessageActs;
  const asked: ReadBack[] = [];
  const answers: { is_right: boolean; wrong: { part: 'value' | 'unit' | 'patient'; label: string | null }[] }[] = [];
  const received = vi.fn();
  app.api.on(receiveCritical, () => {
    received();
    return said;
  });
  app.api.on(readBackCritical, ({ body }) => {
    asked.push(body);
    return { ...(answers.shift() ?? { is_right: true, wrong: [] }), message: said };
  });
  app.draw(
    <UrgentCard message={{ ...said, urgent: { ...urgent, ...given } }} acts={acts} timeZone="UTC" isUnsaved={false}>
      <p>Critical: Potassium 6.8 mmol/L, HH</p>
    </UrgentCard>,
    chats.around,
  );
  return { app, asked, answers, received };
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Read back' }));
const put = (label: string, value: string) => fireEvent.change(dialog().getByLabelText(label), { target: { value } });
const wrongFields = () =>
  [...screen.getByRole('dialog').querySelectorAll('[aria-invalid="true"]')].map(
    (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  );
const send = () => fireEvent.click(dialog().getByRole('button', { name: 'Read back' }));

it('EXAM-5 the card says how soon, how far it has got, and has one button, which is to read back', () => {
  const { received } = card();
  const region = within(screen.getByRole('region', { name: 'Critical result' }));
  expect(region.getByText('Within minutes')).toBeTruthy();
  expect(
    within(region.getByRole('list', { name: 'Steps' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([...['Identified 03:10', 'Notified 03:10', 'Received 03:10', 'Read back not yet', 'Done not yet']]);
  expect(region.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  expect(region.getByText('You read it back, not agreed: value of Potassium')).toBeTruthy();
  fireEvent.click(region.getByRole('button', { name: 'Read back' }));
  expect(screen.getByRole('dialog', { name: 'Read back' })).toBeTruthy();
  expect(screen.getByRole('dialog').textContent, 'gives nothing away').not.toContain('6.8');
  return waitFor(() => expect(received).toHaveBeenCalledOnce());
});

it('EXAM-5 who was not called, and who comes after it was read back, has no button', () => {
  card({}, mira);
  expect(screen.queryByRole('button', { name: 'Read back' })).toBeNull();
});

it('EXAM-5 what does not agree is named at its place, what was said stays, and it goes again', async () => {
  const { asked, answers } = card();
  fireEvent.click(screen.getByRole('button', { name: 'Read back' }));
  send();
  const missing = ['Say the value.', 'Say the unit.', 'Say the MRN or other ID, or the name and the date of birth.'];
  expect(wrongFields()).toEqual(missing);
  expect(document.activeElement).toBe(dialog().getByLabelText('Potassium'));
  put('Potassium', '8.6');
  put('Unit of Potassium', 'mmol/L');
  expect(wrongFields()).toEqual(missing.slice(2));
  put('Name', 'Edith Maron');
  expect(wrongFields(), 'said in another way').toEqual([]);
  send();
  expect(wrongFields(), 'a name alone is not enough').toEqual(missing.slice(2));
  expect(document.activeElement).toBe(dialog().getByLabelText('MRN or other ID'));
  put('Date of birth', '1948-03-14');
  const patient = { part: 'patient', label: null } as const;
  answers.push({ is_right: false, wrong: [{ part: 'value', label: 'Potassium' }, patient] });
  send();
  expect(
    await dialog().findByText(/Check the value of Potassium and the patient, and read it back again/),
  ).toBeTruthy();
  expect(wrongFields(), 'each that was said of what does not agree').toEqual(new Array(3).fill('Does not agree.'));
  expect(dialog().getByLabelText('MRN or other ID').getAttribute('aria-invalid')).toBeNull();
  put('Potassium', '6.8');
  send();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual([
    {
      findings: [{ field: 'potassium', value: '8.6', unit: 'mmol/L' }],
      patient: { name: 'Edith Maron', identifier: '', born_on: '1948-03-14' },
    },
    expect.objectContaining({ findings: [{ field: 'potassium', value: '6.8', unit: 'mmol/L' }] }),
  ]);
});

it.each([
  ['6.8', 'decimal'],
  ['118', 'decimal'],
  ['> 9', 'text'],
  ['-14.2', 'text'],
  ['2-3', 'text'],
  ['Positive', 'text'],
])('EXAM-5 a telephone shows its keys for numbers where they are enough to say %s: %s', (value, keys) => {
  const findings = alert.findings.map((finding) => ({ ...finding, value }));
  card({ critical: { ...alert, findings } });
  fireEvent.click(screen.getByRole('button', { name: 'Read back' }));
  expect(dialog().getByLabelText<HTMLInputElement>('Potassium').inputMode).toBe(keys);
  expect(dialog().getByLabelText<HTMLInputElement>('Unit of Potassium').inputMode).toBe('text');
});

it('EXAM-5 who is overtaken is told by whom, and offline nothing is sent and it says so', async () => {
  const { app } = card();
  fireEvent.click(screen.getByRole('button', { name: 'Read back' }));
  put('Potassium', '6.8');
  put('Unit of Potassium', 'mmol/L');
  put('MRN or other ID', '40-118-236');
  app.refuse(409, { message: 'Leila Haddad has read it back meanwhile.' });
  send();
  expect(await dialog().findByText('Leila Haddad has read it back meanwhile.')).toBeTruthy();
});

it('EXAM-5 offline it cannot be read back, and that is said plainly', () => {
  chats.setOnline(false);
  card();
  fireEvent.click(screen.getByRole('button', { name: 'Read back' }));
  expect(dialog().getByText(/the read-back needs the network, and it calls on/)).toBeTruthy();
  expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Read back' }).disabled).toBe(true);
});

it('EXAM-5 URG-2 on the dashboard and over every page it leads to its read-back, and cannot be acknowledged in passing', async () => {
  const item: WaitingUrgent = {
    ...{ message_id: said.id, chat_id: edith.id, facility_id: edith.facility_id, seq: 9, chat_title: 'Edith Maron' },
    ...{ patient: { name: 'Edith Maron', identifier: '40-118-236' }, sender: by(mira), excerpt: 'Critical: K' },
    ...{ state: 'calling', sent_at: at, called_at: at, waits_for: 'accept', critical: 'minutes', missing: [] },
  };
  const app = createFakeApp();
  app.api.on(listUrgent, ({ query }) => ({
    data: query.of === 'me' ? [item] : [],
    next_cursor: null,
    counts: { accept: 1, act: 0, others: 0 },
  }));
  app.draw(
    <>
      <UrgentBanner userId={ana.id} />
      <UrgentWaiting />
    </>,
    chats.around,
  );
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Read it back' })).toHaveLength(2));
  for (const link of screen.getAllByRole('link', { name: 'Read it back' })) {
    expect(link.getAttribute('href')).toContain(`c-${edith.id}?message=9`);
  }
  expect(screen.getByText(`Critical result from ${mira.name}.`)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
});
