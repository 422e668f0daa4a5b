// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  at,
  cited,
  entry,
  examinationOf,
  openExamination,
  person,
  toStored,
  uuid,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { mira } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('findings and the talk about them', () => {
  const report = { state: 'reported', report_version: 2 } as const;
  const values = {
    entries: toStored([{ ...entry('potassium', '6.8'), interpretation: 'HH' }, entry('impression', 'Repeat')]),
  };
  const openMenu = async (name: string) =>
    fireEvent.keyDown(await screen.findByRole('button', { name }), { key: 'Enter' });

  it('EXAM-1 a finding of a signed report is cited as it stands there; where the chat is not in view one goes to it', async () => {
    const { app, draw } = openExamination(examinationOf({ ...report, ...values }));
    draw();
    await openMenu('Potassium');
    expect(await screen.findByRole('menuitem', { name: 'No message cites it' })).toBeTruthy();
    fireEvent.click(screen.getByText('Cite in chat'));
    expect(cited.splice(0)).toEqual([
      {
        ...{ examination_id: uuid(5), title: 'Renal profile', field: 'potassium', label: 'Potassium' },
        ...{ value: '6.8', unit: 'mmol/L', interpretation: 'HH', report_version: 2 },
      },
    ]);
    expect(app.navigate).toHaveBeenCalledWith({ href: '/chat' });
  });

  it('EXAM-1 lists the messages that cite it, each with the version that it cites and the way to it', async () => {
    const { draw, server } = openExamination(examinationOf({ ...report, ...values }));
    const message = { message_id: uuid(6), seq: 7, sender: person(mira), created_at: at, excerpt: 'Please repeat it' };
    server.citing = [{ ...message, cited: [{ field: 'potassium', report_version: 1 }] }];
    draw();
    fireEvent.click(await screen.findByRole('button', { name: 'Potassium: 1 message cites it' }));
    const dialog = await screen.findByRole('dialog', { name: 'Messages that cite Potassium' });
    expect(within(dialog).getByRole('link').getAttribute('href')).toBe('/chat?message=7');
    expect(dialog.textContent).toContain(`${mira.name}, `);
    expect(dialog.textContent).toContain('version 1');
    expect(screen.queryByRole('button', { name: /^Impression:/ })).toBeNull();
  });

  it('EXAM-1 who is led to a finding stands on it; of one in error nothing is cited, and what is not signed has no menu', async () => {
    const linked = { field: 'impression', visit: 'a' };
    openExamination(examinationOf({ ...report, ...values, state: 'entered_in_error' }), { linked }).draw();
    const name = await screen.findByRole('button', { name: 'Impression' });
    await waitFor(() => expect(document.activeElement).toBe(name));
    fireEvent.keyDown(name, { key: 'Enter' });
    await screen.findByRole('menuitem');
    expect(screen.queryByText('Cite in chat')).toBeNull();
    cleanup();
    const my = {
      can_write: false,
      can_sign: false,
      can_mark_in_error: false,
      read_version: 0,
      acknowledged_version: 0,
    };
    const { draw, app } = openExamination(examinationOf({ ...values, my }));
    draw();
    expect(await screen.findByRole('rowheader', { name: 'Potassium' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Potassium' })).toBeNull();
    expect(app.api.asked.filter((line) => line.includes('/citations'))).toEqual([]);
  });
});
