// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type FeedUnit,
  forgetCensusFeed,
  type RefusedMessage,
  retryRefusedMessage,
  startCensusFeed,
  stopCensusFeed,
} from '@wardline/contract/census/feed.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { now, openSettings } from '../testing/fake-settings.tsx';
import { dialogNamed, fill, press } from '../testing/settings-actions.ts';

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
});
afterEach(() => void vi.restoreAllMocks());

const unit = (code: string, closing: number | null, told: number): FeedUnit => ({
  unit_id: `01970000-0000-7000-8000-0000000002${code === 'ICU' ? '01' : '02'}`,
  unit_code: code,
  population: 'adult_and_child',
  census_date: closing === null ? null : '2026-11-19',
  closing,
  told,
});
const message: RefusedMessage = {
  id: '01970000-0000-7000-8000-0000000009b1',
  received_at: '2026-11-20T02:20:00.000Z',
  sender: 'ADT · H1',
  kind: 'ADT^A01',
  control_id: 'R12',
  answer: 'AE',
  error_code: 103,
  reason: 'PV1-3 names the unit ORTHO, which is not known',
  tries: 1,
  tried_at: '2026-11-20T02:20:00.000Z',
  can_retry: true,
};

function chooseFile() {
  const input = document.querySelector('input[type=file]');
  if (input) fireEvent.change(input, { target: { files: [new File(['x'], 'in.csv', { type: 'text/csv' })] } });
}

it('F-N10 who only reads the settings sees nothing of the patient system', async () => {
  openSettings({ shown: { may: { configure: false } } });
  await screen.findByRole('region', { name: 'Units' });
  expect(screen.queryByRole('region', { name: 'Patient system' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Patient system' })).toBeNull();
});

it('F-N10 a unit that is added stands there at once, and without units there is no table', async () => {
  const { state } = openSettings();
  const name = 'Who is in, by the reports and by the patient system';
  await screen.findByText('Not started');
  expect(screen.queryByRole('table', { name })).toBeNull();
  state.feed = { ...state.feed, units: [unit('ICU', null, 0)] };
  await fill('Grace, minutes', '90');
  await press('Save census hour');
  expect((await screen.findByRole('table', { name })).textContent).toContain('ICU');
});

it('F-N10 it cannot be started where patients are in whom it does not know: it says so and offers to bring them in', async () => {
  const { api, state } = openSettings();
  state.feed = { ...state.feed, units: [unit('ICU', 4, 0), unit('MED 3A', 20, 0)] };
  const why =
    'By the newest reports 24 patients are in, and the patient system knows of none. Bring in who is in first.';
  expect(await screen.findByText(why)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
  await press('Bring in who is in');
  const dialog = await dialogNamed('Bring in who is in');
  const asked: boolean[] = [];
  let refused = 1;
  const refusedRow = {
    ...{ line: 3, unit_code: 'ORTHO', bed: '2', outcome: 'refused' as const },
    problems: [{ column: 'unit_code', code: 'UNKNOWN_UNIT', message: 'ORTHO is not a unit of St Brigid.' }],
  };
  api.around = async ({ line }, go) => {
    if (!line.includes('/feed/stays')) return await go();
    const is_applied = line.includes('apply=true');
    asked.push(is_applied);
    if (is_applied) state.feed = { ...state.feed, units: [unit('ICU', 4, 4), unit('MED 3A', 20, 20)] };
    return Response.json({
      ...{ is_applied, file_hash: 'ab', counts: { new: 24, known: 0, refused } },
      rows: refused > 0 ? [refusedRow] : [],
    });
  };
  chooseFile();
  expect(await dialog.findByText('ORTHO is not a unit of St Brigid.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Bring in 24 patients' })).toBeNull();
  refused = 0;
  chooseFile();
  fireEvent.click(await dialog.findByRole('button', { name: 'Bring in 24 patients' }));
  expect(await dialog.findByText('24 patients brought in.')).toBeTruthy();
  expect(asked).toEqual([false, false, true]);
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('button', { name: 'Start' })).toBeTruthy();
  expect(screen.queryByText(why)).toBeNull();
});

it('F-C4 UI-2 bringing them in shows that it is on its way and can be cancelled', async () => {
  const { api, state } = openSettings();
  state.feed = { ...state.feed, units: [unit('MED 3A', 20, 0)] };
  await press('Bring in who is in');
  const dialog = await dialogNamed('Bring in who is in');
  let signal: AbortSignal | null | undefined;
  api.around = async ({ line, init }, go) => {
    if (!line.includes('/feed/stays')) return await go();
    signal = init.signal;
    return await new Promise<Response>(() => undefined);
  };
  chooseFile();
  expect(await dialog.findByText('Checking the lines of the file')).toBeTruthy();
  const [cancel] = dialog.getAllByRole('button', { name: 'Cancel' });
  if (cancel) fireEvent.click(cancel);
  expect(await dialog.findByText('Cancelled. Nothing was stored.')).toBeTruthy();
  expect(signal?.aborted).toBe(true);
});

it('F-N10 where it differs the start names each difference and asks why; it says from when it counts', async () => {
  const { api, state } = openSettings();
  state.feed = { ...state.feed, units: [unit('ICU', 4, 4), unit('MED 3A', 20, 18)] };
  const sent: unknown[] = [];
  api.on(startCensusFeed, ({ body }) => {
    sent.push(body.reason);
    state.feed = { ...state.feed, live_from: '2026-11-21' };
    return state.feed;
  });
  await press('Start');
  const dialog = await dialogNamed('Start the patient system?');
  expect(dialog.getByText('MED 3A closed with 20, the patient system has 18.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Start' }));
  expect(await dialog.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Why may it start all the same?'), { target: { value: 'Two left today' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Start' }));
  await waitFor(() => expect(sent).toEqual(['Two left today']));
  expect(await screen.findByRole('heading', { name: 'Counts from Sat 21 Nov' })).toBeTruthy();
});

it('F-N10 CEN-R19 it is stopped with a reason, then what it told is forgotten, and only then is nothing left to forget', async () => {
  const { api, state } = openSettings();
  state.feed = { ...state.feed, live_from: '2026-11-19', units: [unit('ICU', 4, 4)] };
  const sent: unknown[] = [];
  api.on(stopCensusFeed, ({ body }) => {
    sent.push(body.reason);
    state.feed = { ...state.feed, live_from: null };
    return state.feed;
  });
  api.on(forgetCensusFeed, ({ body }) => {
    sent.push(body.reason);
    state.feed = { ...state.feed, heard_at: null, units: [unit('ICU', 4, 0)] };
    return state.feed;
  });
  await press('Stop');
  expect(screen.queryByRole('button', { name: 'Forget who is in' })).toBeNull();
  const stopping = await dialogNamed('Stop the patient system?');
  fireEvent.change(stopping.getByLabelText('Reason'), { target: { value: 'no' } });
  fireEvent.click(stopping.getByRole('button', { name: 'Stop' }));
  expect(await stopping.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
  fireEvent.change(stopping.getByLabelText('Reason'), { target: { value: 'Another one comes' } });
  fireEvent.click(stopping.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByRole('heading', { name: 'Not started' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  await press('Forget who is in');
  const forgetting = await dialogNamed('Forget who is in?');
  fireEvent.change(forgetting.getByLabelText('Reason'), { target: { value: 'A trial it was' } });
  fireEvent.click(forgetting.getByRole('button', { name: 'Forget' }));
  await waitFor(() => expect(sent).toEqual(['Another one comes', 'A trial it was']));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Forget who is in' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
});

it('F-N10 a refused message says when, from whom, what, why and what to do, and is taken again once that is done', async () => {
  const { api, state } = openSettings();
  const unsupported = {
    ...message,
    id: message.id.replace('b1', 'b2'),
    answer: 'AR' as const,
    error_code: 201,
    kind: 'ADT^A31',
    ...{ tries: 5012, tried_at: '2026-11-20T03:00:00.000Z', can_retry: false },
  };
  state.refused = [message, unsupported];
  const list = within(await screen.findByRole('list', { name: 'Refused messages' }));
  const [row, other] = list.getAllByRole('listitem').map((item) => within(item));
  expect(row?.getByText('Fri 20 Nov, 10:20 · ADT · H1 · number R12')).toBeTruthy();
  expect(row?.getByText('PV1-3 names the unit ORTHO, which is not known.')).toBeTruthy();
  expect(row?.getByText('Error 103')).toBeTruthy();
  expect(row?.getByText(/Add the unit under Units/)).toBeTruthy();
  expect(other?.getByText('Fri 20 Nov, 11:00 · ADT · H1 · number R12 · came 5,012 times')).toBeTruthy();
  expect(other?.getByText(/does not need this kind/)).toBeTruthy();
  expect(other?.queryByRole('button')).toBeNull();
  let answer: RefusedMessage | null = { ...message, tries: 2 };
  api.on(retryRefusedMessage, () => {
    state.refused = answer ? [answer, unsupported] : [unsupported];
    return { refused: answer };
  });
  const retry = 'Try ADT^A01 of Fri 20 Nov, 10:20 again';
  await press(retry);
  expect(await screen.findByText('It was refused again.')).toBeTruthy();
  expect(await screen.findByText(/tried 2 times/)).toBeTruthy();
  answer = null;
  await press(retry);
  await waitFor(() => expect(screen.queryByRole('button', { name: retry })).toBeNull());
  expect(screen.getByRole('heading', { name: 'Refused messages (1)' })).toBeTruthy();
});

it('EXAM-1 F-N10 a refused result of the laboratory says what to ask its team, and the panel leads to the others', async () => {
  const { state } = openSettings({ permissions: ['census.view', 'results.assign'] });
  const result = { ...message, kind: 'ORU^R01', reason: 'OBR-25 is Q, not of table 0123' };
  const full = { ...result, id: message.id.replace('b1', 'b3'), error_code: 207 };
  state.refused = [result, full, { ...full, id: message.id.replace('b1', 'b4'), can_retry: false }];
  const list = within(await screen.findByRole('list', { name: 'Refused messages' }));
  const advice = list.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(advice[0]).toContain('Ask the laboratory’s team to send a status of HL7 table 0123.');
  expect(advice[1]).toContain('Assign the results that wait, or set them aside, under Laboratory results.');
  expect(advice[2]).toContain('Ask the laboratory’s team to send it again.');
  const link = screen.getByRole('link', { name: 'Laboratory results' });
  expect(link.getAttribute('href')).toBe('/settings/laboratory');
});

it('EXAM-1 who may open no laboratory results is led to none', async () => {
  openSettings();
  await screen.findByRole('heading', { name: 'No refused messages' });
  expect(screen.queryByRole('link', { name: 'Laboratory results' })).toBeNull();
});
