// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  assignLaboratoryResult,
  getLaboratoryFeed,
  type LaboratoryFeed,
  type LaboratoryMessage,
  listLaboratoryMessages,
  listLaboratoryResults,
  setAsideLaboratoryResult,
  setLaboratoryFeed,
  type UnmatchedResult,
} from '@wardline/contract/examinations/laboratory.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import { beforeEach, expect, it } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, stBrigid } from '#/testing/fake-chats.ts';
import { LaboratoryPage } from './laboratory-page.tsx';

beforeEach(() => setOnline(true));

const uuid = (number: number) => `019ff2c9-0000-7000-8000-00000000002${number}`;
const at = '2026-11-20T00:10:00.000Z';
const EDITH = 'Edith Maron, MRN 40-118-236, born 14 Mar 1948';
const OTHER = 'Bert Oakes, MRN 40-118-237';

const potassium: UnmatchedResult = {
  ...{ id: uuid(1), title: 'Renal profile', status: 'final', laboratory: 'CORELAB', number: 'F-1001' },
  ...{ reported_at: at, received_at: at, state: 'unmatched', version: 1, closed: null },
  patient: { name: 'Edith Maron', born_on: '1948-03-14', identifiers: ['40-118-236'] },
  findings: [
    { label: 'Potassium', value: '7.1 mmol/L', interpretation: 'HH' },
    { label: 'Sodium', value: '139 mmol/L', interpretation: null },
  ],
  why: '2 chats about this patient are open.',
};
const blank: LaboratoryFeed = {
  ...{ version: 3, authority: null, critical_role: null, codes: [], unmatched: 0 },
  my: { can_change: true, can_assign: true },
};
const message: LaboratoryMessage = {
  ...{ id: uuid(5), control_id: 'L0001', sender: 'LIS · CORELAB', received_at: at },
  ...{ reports: 4, filed: 1, unmatched: 2, set_aside: 0, outdated: 1 },
};

/** The page over a server with these results, and what was sent to it. */
function open(waiting: readonly UnmatchedResult[], { my = blank.my, permissions = [] as string[] } = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { results: [...waiting], feed: { ...blank, my }, sent: [] as unknown[] };
  const leave = (id: string, state: UnmatchedResult['state'], reason: string | null) => {
    const closed = { by: { user_id: ana.id, name: ana.name }, at, reason };
    server.results = server.results.map((one) => (one.id === id ? { ...one, state, closed } : one));
  };
  const unmatched = () => server.results.filter(({ state }) => state === 'unmatched').length;
  app.api.on(getLaboratoryFeed, () => ({ ...server.feed, unmatched: unmatched() }));
  app.api.on(listLaboratoryResults, ({ query }) => ({
    data: server.results.filter(({ state }) => state === query.state),
    next_cursor: null,
    chats: [
      { id: uuid(8), patient: { name: 'Bert Oakes', identifier: '40-118-237', born_on: null } },
      { id: edith.id, patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14' } },
    ],
  }));
  app.api.on(listLaboratoryMessages, () => ({
    data: [message, { ...message, id: uuid(6), control_id: 'L0002', reports: 0 }],
    next_cursor: null,
  }));
  app.api.on(assignLaboratoryResult, ({ params, body }) => {
    server.sent.push(body);
    leave(params.result, 'filed', body.reason ?? null);
    return { chat_id: body.chat_id, examination_id: uuid(9) };
  });
  app.api.on(setAsideLaboratoryResult, ({ params, body }) => {
    server.sent.push(body);
    leave(params.result, 'set_aside', body.reason);
    return { version: 2 };
  });
  app.api.on(listOnCallRoles, () => {
    const role = { id: uuid(7), name: 'Medical registrar', unit: null, phone: '4411', version: 1, next: null };
    return { data: [{ ...role, now: null }], next_cursor: null } as never;
  });
  app.api.on(setLaboratoryFeed, ({ body: { critical_role_id: id, ...body } }) => {
    server.sent.push({ ...body, critical_role_id: id });
    server.feed = { ...server.feed, ...body, version: 4, critical_role: id ? { id, name: 'Medical registrar' } : null };
    return server.feed;
  });
  app.draw(<LaboratoryPage facility={{ ...stBrigid, permissions }} />);
  return { ...app, server };
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const show = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }));
const dialogNamed = async (name: string) => within(await screen.findByRole('dialog', { name }));

it('EXAM-1 EXAM-5 a result that waits says whose it is by the laboratory, what is critical and why it waits', async () => {
  open([potassium]);
  const card = within(await screen.findByRole('article', { name: 'Renal profile, Edith Maron' }));
  expect(card.getByText('Edith Maron · born 14 Mar 1948 · 40-118-236')).toBeTruthy();
  expect(card.getByText('Critical')).toBeTruthy();
  expect(card.getByText('2 chats about this patient are open.')).toBeTruthy();
  const [first, second] = within(card.getByRole('list', { name: 'Findings' })).getAllByRole('listitem');
  expect(first?.textContent).toBe('Potassium 7.1 mmol/L HHCritically high');
  expect(second?.textContent?.trim()).toBe('Sodium 139 mmol/L');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'To assign (1)' }).checked).toBe(true);
});

it('EXAM-1 A16 is assigned to the chat that fits best, which stands first, and asks why where the server does', async () => {
  const { api, server } = open([potassium]);
  await press('Assign to a chat: Renal profile of Edith Maron');
  const dialog = await dialogNamed('Assign Renal profile');
  expect(dialog.getByText(/people are called as soon as it is assigned/)).toBeTruthy();
  const select = dialog.getByLabelText<HTMLSelectElement>('Chat');
  expect([...select.options].map(({ text }) => text).slice(-2)).toEqual([EDITH, OTHER]);
  const assign = () => fireEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  assign();
  expect(await dialog.findByText('Choose a chat.')).toBeTruthy();
  expect(server.sent).toEqual([]);
  fireEvent.change(select, { target: { value: uuid(8) } });
  const why = 'Of this patient the number differs. Say why the result is theirs.';
  const { around } = api;
  api.around = async ({ line }, go) =>
    line.endsWith('/assign')
      ? Response.json({ message: why, code: 'invalid', errors: { reason: [why] } }, { status: 422 })
      : await go();
  assign();
  expect(await dialog.findByText(why)).toBeTruthy();
  api.around = around;
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' Old number ' } });
  assign();
  expect(await screen.findByText('No results to assign')).toBeTruthy();
  expect(server.sent).toEqual([{ version: 1, chat_id: uuid(8), reason: 'Old number' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByRole('radio', { name: 'To assign' })).toBeTruthy();
});

it('EXAM-1 is set aside with a reason, stands there with who did it, and can still be assigned', async () => {
  const { server } = open([potassium]);
  await press('Set aside: Renal profile of Edith Maron');
  const dialog = await dialogNamed('Set Renal profile aside?');
  const done = () => fireEvent.click(dialog.getByRole('button', { name: 'Set aside' }));
  done();
  expect(await dialog.findByText('Say why.')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Of the clinic next door' } });
  done();
  expect(await screen.findByText('No results to assign')).toBeTruthy();
  expect(server.sent).toEqual([{ version: 1, reason: 'Of the clinic next door' }]);
  await show('Set aside');
  const card = within(await screen.findByRole('article', { name: 'Renal profile, Edith Maron' }));
  expect(card.getByText(/^Set aside by Ana Reyes, .*: Of the clinic next door$/)).toBeTruthy();
  expect(card.queryByRole('button', { name: /^Set aside/ })).toBeNull();
  expect(card.getByRole('button', { name: /^Assign to a chat/ })).toBeTruthy();
});

it('EXAM-1 without a network nothing is assigned: it says so', async () => {
  const { server } = open([potassium]);
  await press(/^Assign to a chat/);
  const dialog = await dialogNamed('Assign Renal profile');
  setOnline(false);
  expect(await dialog.findByText(/You’re offline/)).toBeTruthy();
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Assign' });
  expect(button.disabled).toBe(true);
  fireEvent.click(button);
  expect(server.sent).toEqual([]);
});

it('A16 who only sets the facility up is shown messages without a patient, and asks for no result', async () => {
  const { api } = open([potassium], { my: { can_change: true, can_assign: false }, permissions: ['census.configure'] });
  const row = await screen.findByRole('row', { name: /L0001/ });
  expect(row.textContent).toContain('1 in a chat, 2 to assign, 1 outdated');
  expect(screen.getByRole('row', { name: /L0002/ }).textContent).toContain('No results');
  expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual(['Messages', 'Set-up']);
  expect(screen.getByRole('link', { name: 'Patient system' }).getAttribute('href')).toBe('/census?view=settings#feed');
  expect(api.asked.filter((line) => line.includes('laboratory-results'))).toEqual([]);
});

it('EXAM-1 EXAM-5 the set-up says whose numbers count, whom a critical result calls and what the codes are', async () => {
  const { api, server } = open([]);
  await show('Set-up');
  const codes = await screen.findByLabelText('Codes of the laboratory');
  await screen.findByRole('option', { name: 'Medical registrar' });
  fireEvent.change(screen.getByLabelText('Authority of patient numbers'), { target: { value: ' H1 ' } });
  fireEvent.change(screen.getByLabelText('Critical results call'), { target: { value: uuid(7) } });
  fireEvent.change(codes, { target: { value: ' K  2823-3\n\nBlood gas K 75940-7 ' } });
  const { around } = api;
  api.around = async ({ line }, go) =>
    line.startsWith('PUT')
      ? Response.json({ message: 'No.', code: 'invalid', errors: { codes: ['Give each code once.'] } }, { status: 422 })
      : await go();
  await press('Save');
  expect(await screen.findByText('Give each code once.')).toBeTruthy();
  api.around = around;
  await press('Save');
  await waitFor(() =>
    expect(server.sent).toEqual([
      {
        ...{ version: 3, authority: 'H1', critical_role_id: uuid(7) },
        codes: [
          { code: 'K', loinc: '2823-3' },
          { code: 'Blood gas K', loinc: '75940-7' },
        ],
      },
    ]),
  );
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLTextAreaElement>('Codes of the laboratory').value).toBe(
      'K 2823-3\nBlood gas K 75940-7',
    ),
  );
});

it('UI-2 what does not load says so, and is asked for again', async () => {
  const app = open([potassium]);
  app.refuse(500);
  const retry = await screen.findByRole('button', { name: /again|retry/i }, { timeout: 5000 });
  app.answer();
  fireEvent.click(retry);
  expect(await screen.findByRole('article', { name: 'Renal profile, Edith Maron' })).toBeTruthy();
});
