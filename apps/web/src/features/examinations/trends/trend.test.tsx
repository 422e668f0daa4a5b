// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { listTrend, type TrendValue } from '@wardline/contract/examinations/trends.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  entry,
  examinationOf,
  openExamination,
  toStored,
  uuid,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('the trend of a number', () => {
  const mmol = { code: 'mmol/L', label: 'mmol/L' };
  const said = (
    id: number,
    value: string,
    unit: TrendValue['unit'] = mmol,
    { flag = 'N', power_of_ten = 0 }: { flag?: TrendValue['interpretation']; power_of_ten?: number | null } = {},
  ) => ({
    ...{ examination_id: uuid(id), title: 'Renal profile', at: `2026-11-2${id}T08:00:00.000Z`, value, unit },
    ...{ power_of_ten, interpretation: flag, report_version: 1 },
  });
  const umol = { code: 'umol/L', label: 'µmol/L' };
  async function trend(pages: TrendValue[][]) {
    const entries = toStored([entry('potassium', '6.8'), entry('impression', 'Repeat')]);
    const { app, draw } = openExamination(examinationOf({ state: 'reported', report_version: 1, entries }));
    app.api.on(listTrend, ({ query }) => {
      const page = Number(query.cursor ?? '0');
      return { data: pages[page] ?? [], next_cursor: pages[page + 1] ? String(page + 1) : null };
    });
    draw();
    const name = await screen.findByRole('button', { name: 'Potassium' });
    fireEvent.keyDown(name, { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Trend' }));
    const panel = await screen.findByRole('region', { name: 'Trend of Potassium' });
    await within(panel).findByRole('img');
    return { app, panel, name };
  }
  const cells = (panel: HTMLElement) =>
    within(panel)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[0]?.textContent?.replace('Value', ''));

  it('EXAM-4 is drawn in one unit over the reference range, with a ring for what is critical; the table has all of it', async () => {
    const { panel, app, name } = await trend([
      [said(5, '6.8', mmol, { flag: 'HH' }), said(4, '4100', umol, { power_of_ten: -3 }), said(3, '<3.0')],
      [said(2, '16', { code: 'mg/dL', label: 'mg/dL' }, { power_of_ten: null })],
    ]);
    const picture = within(panel).getByRole('img', { name: /Potassium: 2 values, the last 6.8 mmol\/L/ });
    expect(picture.querySelectorAll('circle')).toHaveLength(2);
    expect(picture.querySelectorAll('.ln-signal')).toHaveLength(1);
    expect(picture.querySelector('.ln-band')?.getAttribute('d')).not.toBe('');
    expect(panel.textContent).toContain('1 value is in the table alone');
    fireEvent.click(within(panel).getByRole('button', { name: 'Show earlier values' }));
    await waitFor(() => expect(panel.textContent).toContain('2 values are in the table alone'));
    expect(within(panel).queryByRole('button', { name: 'Show earlier values' })).toBeNull();
    fireEvent.keyDown(panel.querySelector('.chart-card') ?? panel, { key: 't' });
    expect(cells(panel)).toEqual(['6.8 mmol/L', '4.100 mmol/Lentered 4100 µmol/L', '<3.0 mmol/L', '16 mg/dL']);
    expect(app.api.asked.filter((line) => line.includes('/trend')).length).toBe(2);
    fireEvent.click(within(panel).getByRole('button', { name: 'Close the trend' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Trend of Potassium' })).toBeNull());
    expect(document.activeElement).toBe(name);
  });

  it('EXAM-4 a text has none, and the code of the picture comes with the first', async () => {
    await trend([[said(5, '6.8')]]);
    fireEvent.keyDown(screen.getByRole('button', { name: 'Impression' }), { key: 'Enter' });
    await screen.findByRole('menuitem', { name: 'No message cites it' });
    expect(screen.queryByRole('menuitem', { name: 'Trend' })).toBeNull();
  });
});
