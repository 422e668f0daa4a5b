// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { lockFacilityDay, reopenFacilityDay, signFacilityDay } from '@wardline/contract/census/day.ts';
import { describe, expect, it, vi } from 'vitest';
import { fakeDay, gapBlocker, ids, setUpSummary, signed } from '#/features/census/summary/testing/fake-summary.tsx';
import { dialog, press, ready } from '#/features/census/summary/testing/summary-actions.ts';

describe('CEN-6 the signature', () => {
  it('CEN-6 what blocks it is listed, each the way to its cure: the report, or the matrix of transfers', async () => {
    setUpSummary().draw();
    const bar = within(await screen.findByRole('region', { name: '3 things block signing' }));
    expect(bar.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ICU report missing',
      'SUR 2B to approve',
      'Transfer gap 1: MED 3A, SUR 2B',
    ]);
    expect(bar.getByRole('link', { name: /^Transfer gap/ }).getAttribute('href')).toBe('#transfers');
    expect(document.getElementById('transfers')).not.toBeNull();
    expect(bar.getByRole('button', { name: 'Sign and lock Thu 19 Nov' })).toHaveProperty('disabled', true);

    fireEvent.click(bar.getByRole('button', { name: 'ICU report missing' }));
    const missing = await dialog('ICU, Thu 19 Nov');
    expect(missing.getByRole('button', { name: 'Remind ICU' })).toBeTruthy();
    fireEvent.click(missing.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    fireEvent.click(bar.getByRole('button', { name: 'SUR 2B to approve' }));
    expect(await (await dialog('SUR 2B, Thu 19 Nov')).findByRole('button', { name: 'Approve SUR 2B' })).toBeTruthy();
  });

  it('CEN-6 CEN-R7 a transfer whose other side has not reported is no gap of its own: the missing report is', async () => {
    const day = fakeDay();
    const open = { ...gapBlocker, partner_unit_id: ids.icu, message: 'Transfer gap 2: MED 3A, ICU' };
    setUpSummary({ day: { ...day, transfer_gap: 3, blockers: [...day.blockers, open] } }).draw();
    const bar = within(await screen.findByRole('region', { name: '3 things block signing' }));
    expect(bar.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ICU report missing',
      'SUR 2B to approve',
      'Transfer gap 1: MED 3A, SUR 2B',
    ]);
  });

  it('CEN-6 CEN-R7 a transfer gap alone is accepted with words that say why; the outcome has the focus', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay({ blockers: [gapBlocker] }) });
    const sent = vi.fn();
    api.on(signFacilityDay, ({ body }) => {
      sent(body);
      state.day = fakeDay({ ...signed, status: 'locked' });
      return state.day;
    });
    draw();
    await ready();
    expect(screen.getByRole('heading', { name: 'Signing needs a reason' })).toBeTruthy();
    screen.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }).focus();
    press('Sign and lock Thu 19 Nov');
    const open = await dialog('Sign Thu 19 Nov');
    const reason = open.getByLabelText('Why a transfer gap of 1 is accepted');
    await waitFor(() => expect(document.activeElement).toBe(reason));
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    expect(await open.findByText('Enter a reason of at least 5 characters.')).toBeTruthy();
    fireEvent.input(reason, { target: { value: 'patient moved 23:58' } });
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    const outcome = await screen.findByRole('heading', { name: 'Thu 19 Nov is signed and locked' });
    await waitFor(() => expect(document.activeElement).toBe(outcome));
    expect(sent).toHaveBeenCalledWith(
      expect.objectContaining({ version: 7, lock: true, override_reason: 'patient moved 23:58', total: null }),
    );
    expect(screen.getByText(/^By Owen Hart, Fri,? 20 Nov 2026, 09:12:00/).textContent).toContain('log head ab12cd34');
  });

  it('CEN-6 CEN-R13 who gives up a signature that somebody has blocked meanwhile finds the focus at what blocks it', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay({ blockers: [], transfer_gap: 0 }) });
    api.on(signFacilityDay, () => {
      state.day = fakeDay();
      throw new FakeRefusal('conflict');
    });
    draw();
    await ready();
    const signs = 'Sign and lock Thu 19 Nov';
    screen.getByRole('button', { name: signs }).focus();
    press(signs);
    const open = await dialog('Sign Thu 19 Nov');
    fireEvent.click(open.getByRole('button', { name: signs }));
    await open.findByText(/^Someone else changed this first/);
    fireEvent.click(open.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/block signing$/));
  });

  it('CEN-6 CEN-R17 a total from elsewhere that holds a unit twice is named before it is sent', async () => {
    const { api, draw } = setUpSummary({ day: fakeDay({ blockers: [], transfer_gap: 0 }) });
    const sent = vi.fn();
    api.on(signFacilityDay, ({ body }) => {
      sent(body.total);
      return fakeDay(signed);
    });
    draw();
    await ready();
    press('Sign and lock Thu 19 Nov');
    const open = await dialog('Sign Thu 19 Nov');
    fireEvent.change(open.getByLabelText('Total from another source'), { target: { value: '71' } });
    expect(
      open.getByText('71 counts MED 3A twice: the units add up to 49, and its 22 are in that already.'),
    ).toBeTruthy();
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    await waitFor(() => expect(document.querySelector('[aria-busy]')).toBeNull());
    expect(sent).not.toHaveBeenCalled();
    fireEvent.change(open.getByLabelText('Total from another source'), { target: { value: '49' } });
    fireEvent.click(open.getByRole('button', { name: 'Sign and lock Thu 19 Nov' }));
    await waitFor(() => expect(sent.mock.calls).toEqual([[49]]));
  });

  it('CEN-6 a signed day is locked by who may; the outcome has the focus', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay(signed) });
    api.on(lockFacilityDay, ({ body }) => {
      state.day = fakeDay({ ...signed, status: body.version === 7 ? 'locked' : 'open' });
      return state.day;
    });
    draw();
    const lock = await screen.findByRole('button', { name: 'Lock Thu 19 Nov' });
    lock.focus();
    fireEvent.click(lock);
    const outcome = await screen.findByRole('heading', { name: 'Thu 19 Nov is signed and locked' });
    await waitFor(() => expect(document.activeElement).toBe(outcome));
  });

  it('CEN-6 CEN-R19 a day is not reopened without a reason and words', async () => {
    const { api, draw, state } = setUpSummary({ day: fakeDay(signed) });
    const sent = vi.fn();
    api.on(reopenFacilityDay, ({ body }) => {
      sent(body.reason_code, body.reason);
      state.day = fakeDay({ status: 'reopened', reopen_reason: body.reason });
      return state.day;
    });
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }));
    const open = await dialog('Reopen Thu 19 Nov?');
    fireEvent.click(open.getByRole('button', { name: 'Reopen Thu 19 Nov' }));
    expect(await open.findByText('Choose a reason.')).toBeTruthy();
    expect(open.getByText('Enter a reason of at least 5 characters.')).toBeTruthy();
    fireEvent.change(open.getByLabelText('Reason'), { target: { value: 'late_slip' } });
    fireEvent.input(open.getByLabelText('Details'), { target: { value: 'Slip from the night' } });
    fireEvent.click(open.getByRole('button', { name: 'Reopen Thu 19 Nov' }));
    await waitFor(() => expect(sent.mock.calls).toEqual([['late_slip', 'Slip from the night']]));
    expect(await screen.findByText('Slip from the night')).toBeTruthy();
  });
});
