// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { lastWholeMonth } from './nursing-dialog.tsx';
import { ids, setUpNursing } from './testing/fake-nursing.tsx';

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, text: string) => fireEvent.change(field(name), { target: { value: text } });
const lineOf = (unit: string) => field(`RN hours, ${unit}`).closest('li');
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const ready = () => screen.findByRole('textbox', { name: 'RN hours, MED 3A' });

describe('the nursing hours', () => {
  it('CEN-6 open at the last month that has ended, a line a unit with its patient days and what comes of it', async () => {
    setUpNursing().draw();
    await ready();
    expect(screen.getByRole('button', { name: 'October 2026, choose another date' })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'November 2026, not begun yet' }).disabled).toBe(true);
    expect(lineOf('MED 3A')?.textContent).toBe(
      'MED 3A680 patient daysRN hours, MED 3AOther hours, MED 3AHours per patient day: RN 4.28all 7.08',
    );
    // A month that lacks a report is not counted.
    type('RN hours, ICU', '4000');
    type('Other hours, ICU', '0');
    expect(lineOf('ICU')?.textContent).toContain('243 patient days30 of 31 reports');
    expect(lineOf('ICU')?.textContent).toContain('RN –all –');
  });

  it.each([
    ['2026-11-19', '2026-10-01 2026-10-31'],
    ['2026-11-30', '2026-11-01 2026-11-30'],
    ['2027-01-01', '2026-12-01 2026-12-31'],
    ['2028-02-29', '2028-02-01 2028-02-29'],
  ])('CEN-6 the last month that has ended by %s is %s', (newest, month) => {
    const { from, to } = lastWholeMonth(newest);
    expect(`${from} ${to}`).toBe(month);
  });

  it('CEN-6 Enter goes down, Shift and Enter up, and the line that is left is saved by itself', async () => {
    const { draw, sent } = setUpNursing();
    draw();
    const med = await ready();
    med.focus();
    type('RN hours, MED 3A', '3,000.5');
    fireEvent.keyDown(med, { key: 'Enter' });
    expect(document.activeElement).toBe(field('RN hours, SUR 2B'));
    await waitFor(() => expect(lineOf('MED 3A')?.textContent).toContain('Saved'));
    expect(sent.mock.calls).toEqual([
      [ids.med, { client_id: expect.any(String), version: 2, rn_hours: '3000.50', other_hours: '1902.75', note: null }],
    ]);
    expect(field('RN hours, MED 3A').value).toBe('3000.50');
    fireEvent.keyDown(field('RN hours, SUR 2B'), { key: 'Enter', shiftKey: true });
    expect(document.activeElement).toBe(field('RN hours, MED 3A'));
    // From one column to the other within a line nothing is sent.
    type('RN hours, MED 3A', '1');
    field('Other hours, MED 3A').focus();
    expect(sent).toHaveBeenCalledOnce();
  });

  it('CEN-6 Enter in the last line saves it where it is', async () => {
    const { draw, sent } = setUpNursing();
    draw();
    await ready();
    field('Other hours, ICU').focus();
    type('Other hours, ICU', '300');
    fireEvent.keyDown(field('Other hours, ICU'), { key: 'Enter' });
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith(ids.icu, expect.objectContaining({ rn_hours: null, other_hours: '300.00' })),
    );
    expect(document.activeElement).toBe(field('Other hours, ICU'));
  });

  it('CEN-6 a pasted column goes down the units, each saved and refused by itself, and says what did not fit', async () => {
    const { draw, sent } = setUpNursing();
    draw();
    await ready();
    fireEvent.paste(field('RN hours, MED 3A'), {
      clipboardData: { getData: () => '3,120.25\r\nmany\r\n4.000,5\r\n7\r\n' },
    });
    await waitFor(() => expect(lineOf('ICU')?.textContent).toContain('Saved'));
    expect(sent.mock.calls.map(([unit, body]) => [unit, body])).toEqual([
      [ids.med, expect.objectContaining({ rn_hours: '3120.25', other_hours: '1902.75' })],
      [ids.icu, expect.objectContaining({ rn_hours: '4000.50', other_hours: null })],
    ]);
    expect(field('RN hours, SUR 2B').value).toBe('many');
    expect(lineOf('SUR 2B')?.textContent).toContain('Write it as 3120.25.');
    expect(screen.getByText('1 cell skipped: outside the list.')).toBeTruthy();
  });

  it('CEN-6 CEN-R13 what somebody else wrote in the meantime is shown, and one’s own goes over it only when one says so', async () => {
    const { draw, interfere, sent } = setUpNursing();
    draw();
    const med = await ready();
    type('RN hours, MED 3A', '3100');
    interfere();
    fireEvent.blur(med);
    expect(await screen.findByText('Ruth Calloway wrote 3,000.00 and 1,902.75 in the meantime.')).toBeTruthy();
    expect(field('RN hours, MED 3A').value).toBe('3100');
    press('Keep mine');
    await waitFor(() => expect(lineOf('MED 3A')?.textContent).toContain('Saved'));
    expect(sent.mock.calls.at(-1)?.[1]).toMatchObject({ version: 3, rn_hours: '3100.00' });
  });

  it('CEN-6 CEN-R13 or theirs is taken, and nothing is sent', async () => {
    const { draw, interfere, sent } = setUpNursing();
    draw();
    const med = await ready();
    type('RN hours, MED 3A', '3100');
    interfere();
    fireEvent.blur(med);
    await screen.findByText(/in the meantime/);
    press('Take theirs');
    expect(field('RN hours, MED 3A').value).toBe('3000.00');
    fireEvent.blur(field('RN hours, MED 3A'));
    expect(sent).toHaveBeenCalledOnce();
  });

  it('CEN-2 CEN-6 what got no answer stays, says so, and goes again as the same request, which is stored once', async () => {
    const { draw, sent, answer, api, state } = setUpNursing();
    draw();
    const med = await ready();
    type('RN hours, MED 3A', '3100');
    api.around = async (_request, go) => {
      await go();
      throw new TypeError('the answer is lost');
    };
    fireEvent.blur(med);
    expect(await screen.findByText('The server could not be reached. Check the connection.')).toBeTruthy();
    expect(lineOf('MED 3A')?.textContent).toContain('Not saved');
    expect(field('RN hours, MED 3A').value).toBe('3100');
    answer();
    press('Try again');
    await waitFor(() => expect(lineOf('MED 3A')?.textContent).toContain('Saved'));
    const [first, second] = sent.mock.calls.map(([, body]) => body);
    expect(second).toEqual(first);
    expect(state.units[0]?.version).toBe(3);
  });

  it('CEN-6 is not left with hours that are not saved, unless somebody says so', async () => {
    const { draw, onClose, sent } = setUpNursing();
    draw();
    await ready();
    type('RN hours, SUR 2B', 'many');
    type('RN hours, MED 3A', '3100');
    press('Close');
    expect(await screen.findByText('1 unit is not saved.')).toBeTruthy();
    expect(sent).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
    press('Leave without saving');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('CEN-6 closes by itself once all is saved, a note included', async () => {
    const { draw, onClose, sent } = setUpNursing();
    draw();
    await ready();
    press('Note on SUR 2B');
    fireEvent.change(screen.getByRole('textbox', { name: 'Note, SUR 2B' }), { target: { value: ' agency nights ' } });
    press('Close');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sent).toHaveBeenCalledWith(ids.sur, expect.objectContaining({ version: 0, note: 'agency nights' }));
  });
});
