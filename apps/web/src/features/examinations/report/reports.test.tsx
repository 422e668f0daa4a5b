// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { getUser } from '@wardline/contract/account/auth.ts';
import {
  type Examination,
  noteExaminationPrint,
  type ReportVersion,
} from '@wardline/contract/examinations/examinations.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  at,
  entry,
  examinationOf,
  facility,
  openExamination,
  person,
  press,
  toStored,
  uuid,
  version,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, mira } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('a report that was amended', () => {
  const my = { can_write: true, can_sign: false, can_mark_in_error: false, read_version: 1, acknowledged_version: 1 };
  const amended = examinationOf({
    ...{ state: 'amended', report_version: 2, version: 5, must_acknowledge: true, my },
    ...{ reason: { by: person(mira), at, text: 'Haemolysed' }, entries: toStored([entry('potassium', '4.8')]) },
  });
  const versions = [version(2, '4.8'), version(1, '6.8')];

  it('EXAM-3 shows who read it before what changed and why, and has it acknowledged', async () => {
    const { asked, draw } = openExamination(amended, { versions });
    draw();
    expect(await screen.findByText('Changed since you read it.')).toBeTruthy();
    const changed = await screen.findByRole('region', { name: 'What changed' });
    expect(changed.textContent).toContain('From version 1 to 2');
    expect([changed.querySelector('del')?.textContent, changed.querySelector('ins')?.textContent]).toEqual([
      ...['6.8 mmol/L', '4.8 mmol/L'],
    ]);
    await press('Acknowledge');
    await waitFor(() => expect(asked).toContainEqual({ version: 2, is_acknowledged: true }));
    await waitFor(() => expect(screen.queryByText('Changed since you read it.')).toBeNull());
  });

  it('EXAM-3 in view for a moment it is read; who signed it has nothing to acknowledge', async () => {
    const { asked, draw } = openExamination(
      { ...amended, must_acknowledge: false },
      { versions: [version(2, '4.8', ana), version(1, '6.8')] },
    );
    draw();
    await waitFor(() => expect(asked).toEqual([{ version: 2, is_acknowledged: false }]));
    expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  });

  it('EXAM-3 each version opens with what it changed and the hash of its text', async () => {
    openExamination({ ...amended, must_acknowledge: false }, { versions }).draw();
    await press('Open version 2');
    const list = screen.getByRole('region', { name: 'Versions' });
    expect(list.textContent).toContain('Why: Haemolysed');
    expect(list.querySelector('del')?.textContent).toBe('6.8 mmol/L');
    expect(list.textContent).toContain(`SHA-256 ${'ab'.repeat(32)}`);
  });
});

describe('on paper', () => {
  const printed = async (examination: Examination, versions: ReportVersion[] = []) => {
    const { app, draw } = openExamination(examination, { versions });
    app.api.on(getUser, () => anaUser);
    app.api.on(noteExaminationPrint, () => undefined);
    draw();
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Print or export' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Print or save as PDF' }));
    return { app, sheet: await screen.findByRole('article') };
  };

  it('EXAM-7 a report says whose it is by two identifiers, what was found against which range, and who signed which version', async () => {
    const amended = examinationOf({ state: 'amended', report_version: 2 });
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const { app, sheet } = await printed(amended, [version(2, '4.1'), version(1, '6.8')]);
    const signed = `Version 2 signed by ${mira.name}`;
    for (const said of [facility.name, 'Edith Maron', '40-118-236', signed, 'Haemolysed', 'ab'.repeat(32)]) {
      expect(sheet.textContent).toContain(said);
    }
    const row = within(sheet).getByRole('rowheader', { name: 'Potassium' }).closest('tr');
    expect([...(row?.cells ?? [])].map(({ textContent }) => textContent)).toEqual([
      ...['Potassium', '4.1', 'mmol/L', '3.5–5.3', ''],
    ]);
    expect(sheet.textContent).not.toContain('Not signed');
    await press('Print or save as PDF');
    expect(print).toHaveBeenCalledOnce();
    await waitFor(() => expect(app.api.asked.some((line) => line.endsWith('/prints'))).toBe(true));
    await press('Back to the examination');
    expect(await screen.findByRole('region', { name: 'Versions' })).toBeTruthy();
    vi.unstubAllGlobals();
  });

  it('EXAM-7 what was entered in error says so where nobody overlooks it', async () => {
    const reason = { by: person(mira), at, text: 'Another patient' };
    const wrong = examinationOf({ state: 'entered_in_error', report_version: 1, reason });
    const { sheet } = await printed(wrong, [version(1, '6.8')]);
    expect(sheet.textContent).toContain('Entered in error: Another patient');
  });

  it('EXAM-7 values that nobody signed are printed as that', async () => {
    const { sheet } = await printed(examinationOf({ entries: toStored([entry('potassium', '6.8')]) }));
    expect(sheet.textContent).toContain('Not signed');
    expect(sheet.textContent).not.toContain('SHA-256');
    expect(within(sheet).getByRole('cell', { name: '6.8' })).toBeTruthy();
  });
});

describe('a report from a file', () => {
  it('EXAM-6 says who reported it, when and under which identifier, and who imported it; nothing of it is changed here', async () => {
    const imported = {
      ...{
        by: { user_id: uuid(7), name: 'Mira Okafor' },
        at: '2026-11-21T08:00:00.000Z',
        identifier: 'ni:///sha-256;abc',
      },
      ...{ source: null, reported_by: ['Owen Clarke'], reported_at: '2026-11-20T08:00:00.000Z' },
    };
    const my = { ...examinationOf({}).my, can_write: false, can_sign: false };
    const { draw } = openExamination(
      examinationOf({
        state: 'reported',
        report_version: 1,
        entries: toStored([{ ...entry('potassium', '6.8'), observed_at: '2026-11-19T08:30:00.000Z' }]),
        imported,
        my,
      }),
    );
    draw();
    const title = await screen.findByText(/^Imported by Mira Okafor, /);
    const notice = title.closest('.banner') ?? document.body;
    expect(notice.textContent).toMatch(/Reported by Owen Clarke, .*ni:\/\/\/sha-256;abc/);
    // A finding with a time of its own says it.
    expect(screen.getByText(/^Taken .*19 Nov 2026/)).toBeTruthy();
    expect(screen.queryByText('Drafted')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Amend' })).toBeNull();
  });
});
