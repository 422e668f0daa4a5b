// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { reopenFacilityDay } from '@wardline/contract/census/day.ts';
import { dismissProposal, listProposals, type Proposal } from '@wardline/contract/census/proposals.ts';
import { amendUnitDay, type UnitDay } from '@wardline/contract/census/unit.ts';
import { describe, expect, it, vi } from 'vitest';
import { fakeDay as fakeReport } from '#/features/census/report/testing/fake-report.ts';
import { date, fakeDay, ids, setUpSummary, signed } from '../summary/testing/fake-summary.tsx';

const proposal: Proposal = {
  id: '01970000-0000-7000-8000-0000000009a1',
  unit_id: ids.med,
  unit_code: 'MED 3A',
  unit_name: 'MED 3A ward',
  census_date: date,
  population: 'adult_and_child',
  counts: [{ field: 'discharges', signed: 4, told: 5 }],
  state: 'open',
  version: 2,
  raised_at: '2026-11-20T09:00:00Z',
  told_at: '2026-11-20T09:00:00Z',
  closed_at: null,
  closed_by: null,
  reason: null,
};

const sentence = 'Patient system says 5 discharges on MED 3A, Thu 19 Nov; signed with 4.';
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

function draw({ day = fakeDay(signed), proposals = [proposal] } = {}) {
  const app = setUpSummary({ day });
  app.state.proposals = proposals;
  app.draw();
  return app;
}

describe('CEN-8 proposed corrections on the summary', () => {
  it('CEN-8 say in a sentence what the patient system says and what was signed', async () => {
    const second: Proposal = {
      ...proposal,
      id: '01970000-0000-7000-8000-0000000009a2',
      unit_code: 'NUR',
      population: 'newborn',
      counts: [
        { field: 'births', signed: 4, told: 5 },
        { field: 'deaths', signed: 0, told: 1 },
        { field: 'on_leave', signed: 1, told: 0 },
      ],
    };
    draw({ proposals: [proposal, second] });
    const rows = within(await screen.findByRole('list', { name: 'Proposed corrections' })).getAllByRole('listitem');
    expect(rows.map((row) => row.querySelector('.num')?.textContent)).toEqual([
      sentence,
      'Patient system says 5 births, 1 death and 0 on leave on NUR, newborn, Thu 19 Nov; signed with 4 births, 0 deaths and 1 on leave.',
    ]);
  });

  it('CEN-8 are not there where nothing is proposed', async () => {
    draw({ proposals: [] });
    await screen.findByRole('heading', { name: /units in/ });
    await waitFor(() => expect(screen.queryByText('Proposed corrections')).toBeNull());
  });

  it('CEN-8 who may neither reopen nor approve reads them and is offered nothing', async () => {
    const { api } = draw();
    api.on(listProposals, () => ({ data: [proposal], next_cursor: null, may: { correct: false, dismiss: false } }));
    await screen.findByText(sentence);
    expect(screen.queryByRole('button', { name: /^(Correct|Dismiss) / })).toBeNull();
  });

  it('CEN-8 further ones are fetched when asked for', async () => {
    const { api } = draw();
    const second = { ...proposal, id: '01970000-0000-7000-8000-0000000009a2', unit_code: 'SUR 2B' };
    api.on(listProposals, ({ query }) => {
      const isFirst = query.cursor === undefined;
      const page = isFirst ? { data: [proposal], next_cursor: proposal.id } : { data: [second], next_cursor: null };
      return { ...page, may: { correct: true, dismiss: true } };
    });
    await press('Show more');
    await screen.findByText('Patient system says 5 discharges on SUR 2B, Thu 19 Nov; signed with 4.');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('CEN-8 CEN-R19 one is dismissed with words of five characters at least, in the version that was looked at', async () => {
    const { api, state } = draw();
    const sent = vi.fn();
    api.on(dismissProposal, ({ params, body }) => {
      sent(params.proposal, body.version, body.reason);
      state.proposals = [];
      return { ...proposal, state: 'dismissed' as const, reason: body.reason };
    });
    await press('Dismiss MED 3A, Thu 19 Nov');
    const open = await dialog('Dismiss the correction of MED 3A, Thu 19 Nov?');
    const text = open.getByLabelText('Why is it dismissed?');
    fireEvent.input(text, { target: { value: 'no' } });
    fireEvent.click(open.getByRole('button', { name: 'Dismiss it' }));
    expect(await open.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
    expect(sent).not.toHaveBeenCalled();
    fireEvent.input(text, { target: { value: 'In the wrong chart' } });
    fireEvent.click(open.getByRole('button', { name: 'Dismiss it' }));
    await waitFor(() => expect(screen.queryByText('Proposed corrections')).toBeNull());
    expect(sent.mock.calls).toEqual([[proposal.id, 2, 'In the wrong chart']]);
  });

  it('CEN-8 CEN-R13 what was said since is shown in the place of what was looked at', async () => {
    const { api, state } = draw();
    api.on(dismissProposal, () => {
      state.proposals = [{ ...proposal, version: 3, counts: [{ field: 'discharges', signed: 4, told: 6 }] }];
      return proposal;
    });
    await press('Dismiss MED 3A, Thu 19 Nov');
    const open = await dialog('Dismiss the correction of MED 3A, Thu 19 Nov?');
    fireEvent.input(open.getByLabelText('Why is it dismissed?'), { target: { value: 'In the wrong chart' } });
    const message = 'The patient system has said something else since. Look at it again.';
    api.around = async ({ line }, go) => {
      if (!line.includes('/dismiss')) return go();
      await go();
      return Response.json({ message, code: 'conflict' }, { status: 409 });
    };
    fireEvent.click(open.getByRole('button', { name: 'Dismiss it' }));
    expect(await open.findByText(message)).toBeTruthy();
    const text = 'Patient system says 6 discharges on MED 3A, Thu 19 Nov; signed with 4.';
    expect(await open.findByText(`${text} The report stays as it was signed.`)).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('CEN-8 A48 of a signed day one is corrected by reopening the day, opening the report and going to it', async () => {
    const { api, navigate } = draw();
    const done: unknown[] = [];
    api.on(reopenFacilityDay, ({ params, body }) => {
      done.push(['reopen', params.date, body.version, body.reason_code, body.reason]);
      return fakeDay({ status: 'reopened' });
    });
    api.on(amendUnitDay, ({ params, body }): UnitDay => {
      done.push(['amend', params, body.version, body.reason_code, body.reason]);
      return fakeReport({ status: 'amending' });
    });
    await press('Correct MED 3A, Thu 19 Nov');
    const open = await dialog('Correct MED 3A, Thu 19 Nov?');
    fireEvent.input(await open.findByLabelText('Why is it changed?'), { target: { value: 'A late slip' } });
    fireEvent.click(open.getByRole('button', { name: 'Open for correction' }));
    await waitFor(() =>
      expect(navigate).toHaveBeenCalledWith({
        href: `/census-unit?unit=${ids.med}&date=${date}&population=adult_and_child`,
      }),
    );
    expect(done).toEqual([
      ['reopen', date, 7, 'patient_system', 'A late slip'],
      ['amend', { unit: ids.med, date, population: 'adult_and_child' }, 3, 'patient_system', 'A late slip'],
    ]);
  });

  it('CEN-8 of a reopened day the report alone is opened', async () => {
    const { api, navigate } = draw({ day: fakeDay({ status: 'reopened' }) });
    const amended = vi.fn();
    api.on(amendUnitDay, () => {
      amended();
      return fakeReport({ status: 'amending' });
    });
    await press('Correct MED 3A, Thu 19 Nov');
    const open = await dialog('Correct MED 3A, Thu 19 Nov?');
    fireEvent.input(await open.findByLabelText('Why is it changed?'), { target: { value: 'A late slip' } });
    fireEvent.click(open.getByRole('button', { name: 'Open for correction' }));
    await waitFor(() => expect(navigate).toHaveBeenCalledTimes(1));
    expect(amended).toHaveBeenCalledTimes(1);
  });

  it('CEN-8 who may not reopen days is told so', async () => {
    const may = { sign: true, lock: true, reopen: false, approve: true };
    draw({ day: fakeDay({ ...signed, may }) });
    await press('Correct MED 3A, Thu 19 Nov');
    const open = await dialog('Correct MED 3A, Thu 19 Nov?');
    await open.findByText('The day is signed. Someone who can reopen days has to do this.');
    expect(open.queryByRole('button', { name: 'Open for correction' })).toBeNull();
  });

  it('CEN-8 a report that is being corrected already is a press away', async () => {
    const units = fakeDay().units.map((unit) => ({ ...unit, status: 'amending' as const }));
    const { navigate } = draw({ day: fakeDay({ status: 'reopened', units }) });
    await press('Correct MED 3A, Thu 19 Nov');
    const open = await dialog('Correct MED 3A, Thu 19 Nov?');
    await open.findByText('The report is being corrected already.');
    fireEvent.click(open.getByRole('button', { name: 'Go to the report' }));
    expect(navigate).toHaveBeenCalledTimes(1);
  });
});
