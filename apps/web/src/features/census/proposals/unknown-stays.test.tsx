// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { acceptUnknownStay, dismissUnknownStay, type UnknownStay } from '@wardline/contract/census/feed.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { date, fakeDay, ids, setUpSummary, signed } from '../summary/testing/fake-summary.tsx';

beforeEach(() => void vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']));

const stay: UnknownStay = {
  id: '01970000-0000-7000-8000-0000000009c1',
  kind: 'discharge',
  at: '2026-11-19T02:15:00.000Z',
  census_date: date,
  population: 'adult_and_child',
  unit_id: ids.med,
  unit_code: 'MED 3A',
  to_unit_code: null,
  control_id: 'R12',
  state: 'open',
  version: 1,
  raised_at: '2026-11-19T02:16:00.000Z',
  closed_at: null,
  closed_by: null,
  reason: null,
};
const moved: UnknownStay = {
  ...stay,
  ...{ id: '01970000-0000-7000-8000-0000000009c2', kind: 'transfer', unit_id: null, unit_code: null },
  ...{ to_unit_code: 'ICU', control_id: 'R13' },
};
const sentence = 'Discharge from MED 3A, Thu 19 Nov, 10:15, message R12.';
const movedSentence = 'Transfer from an unknown unit to ICU, Thu 19 Nov, 10:15, message R13.';

function draw() {
  const app = setUpSummary({ day: fakeDay(signed) });
  app.state.unknownStays = [stay, moved];
  app.draw();
  return app;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

it('F-N10 a patient who was never admitted is asked about on the summary, and counted since the time that is given', async () => {
  const { api, state } = draw();
  const sent: object[] = [];
  api.on(acceptUnknownStay, ({ params, body: { client_id: _, ...body } }) => {
    sent.push({ stay: params.stay, ...body });
    state.unknownStays = state.unknownStays.filter(({ id }) => id !== params.stay);
    return { ...stay, state: 'taken' as const };
  });
  const list = within(await screen.findByRole('list', { name: 'Patients who were never admitted' }));
  expect(list.getAllByRole('listitem').map((item) => item.querySelector('.num')?.textContent)).toEqual([
    sentence,
    movedSentence,
  ]);
  await press(`Count: ${sentence}`);
  const count = await dialog('Was this patient in?');
  fireEvent.change(count.getByLabelText('Admitted'), { target: { value: '2026-11-18T09:30' } });
  fireEvent.click(count.getByRole('button', { name: 'Yes, count it' }));
  await waitFor(() => expect(sent).toEqual([{ stay: stay.id, version: 1, admitted_at: '2026-11-18T01:30:00.000Z' }]));

  await press(`Count: ${movedSentence}`);
  const where = await dialog('Was this patient in?');
  fireEvent.click(where.getByRole('button', { name: 'Yes, count it' }));
  expect(await where.findByText('Choose the unit where the patient was.')).toBeTruthy();
  fireEvent.change(where.getByLabelText('Unit where the patient was'), { target: { value: ids.sur } });
  fireEvent.click(where.getByRole('button', { name: 'Yes, count it' }));
  await waitFor(() => expect(sent[1]).toEqual({ stay: moved.id, version: 1, unit_id: ids.sur }));
  await waitFor(() => expect(screen.queryByText('Patients who were never admitted')).toBeNull());
});

it('F-N10 left out never without a reason', async () => {
  const { api, state } = draw();
  const reasons: string[] = [];
  api.on(dismissUnknownStay, ({ body }) => {
    reasons.push(body.reason);
    state.unknownStays = [moved];
    return { ...stay, state: 'dismissed' as const };
  });
  await press(`Leave out: ${sentence}`);
  const leave = await dialog('Leave this patient out?');
  fireEvent.click(leave.getByRole('button', { name: 'Leave out' }));
  expect(await leave.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
  fireEvent.change(leave.getByLabelText('Why is it left out?'), { target: { value: 'Wrong patient' } });
  fireEvent.click(leave.getByRole('button', { name: 'Leave out' }));
  await waitFor(() => expect(reasons).toEqual(['Wrong patient']));
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull());
});
