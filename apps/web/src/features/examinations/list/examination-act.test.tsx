// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import {
  createExamination,
  listExaminations,
  listExaminationTemplates,
} from '@wardline/contract/examinations/examinations.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExaminationAct } from '#/features/examinations/list/examination-act.tsx';
import { ExaminationsPane } from '#/features/examinations/list/examinations-pane.tsx';
import {
  examinationOf,
  facility,
  openExamination,
  press,
  renal,
  uuid,
  vital,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, edith } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('in the chat', () => {
  const place = { facility, chatId: edith.id, chatPath: '/chat', patient: null, me: ana };

  it('EXAM-1 the last line that tells of it leads to it, with how it stands now', async () => {
    const critical = [{ label: 'Potassium', value: '6.8 mmol/L', interpretation: 'HH' as const }];
    const { draw, app } = openExamination(examinationOf({ state: 'reported', report_version: 1, critical }));
    draw(
      <>
        <ExaminationAct id={uuid(5)} chatId={edith.id} seq={4} />
        <ExaminationAct id={uuid(5)} chatId={edith.id} seq={9} />
      </>,
    );
    const link = await screen.findByRole('link');
    expect(link.getAttribute('href')).toBe(`/chat/f-${facility.id}/c-${edith.id}/e-${uuid(5)}`);
    expect(link.textContent).toContain('Renal profile: Potassium 6.8 mmol/L, HH');
    expect(link.textContent).toContain('Reported v1');
    expect(app.api.asked.filter((line) => line.includes('/examinations'))).toHaveLength(1);
  });

  it('EXAM-1 the kind stands beside a title that does not say it, an abbreviation in capitals', async () => {
    const { app, draw, server } = openExamination(examinationOf({ state: 'reported' }));
    const ecg = (id: string, title: string) => ({ ...server.now, id, title, type: 'ecg' as const });
    const listed = [server.now, ecg(uuid(7), '12-lead ECG'), ecg(uuid(8), 'Rhythm strip')];
    app.api.on(listExaminations, () => ({ data: listed, next_cursor: null }));
    draw(<ExaminationsPane {...place} />);
    await screen.findAllByRole('link', { name: /Rhythm/ });
    const names = [...document.querySelectorAll('.exam-link .clip')].map((name) => {
      name.querySelector('time')?.remove();
      return name.textContent;
    });
    expect(names).toEqual(['Renal profile, laboratory', '12-lead ECG', 'Rhythm strip, ECG']);
  });

  it('EXAM-1 the list says since when each is as it is, so that five vital signs are told apart', async () => {
    const { app, draw, server } = openExamination(examinationOf({ state: 'reported' }));
    const earlier = { ...server.now, id: uuid(9), updated_at: '2026-11-18T14:02:00.000Z' };
    app.api.on(listExaminations, () => ({ data: [server.now, earlier], next_cursor: null }));
    draw(<ExaminationsPane facility={facility} chatId={edith.id} chatPath="/chat" me={ana} patient={null} />);
    const links = await screen.findAllByRole('link', { name: /Renal profile/ });
    expect(links.map((link) => link.querySelector('time')?.textContent)).toEqual([
      expect.stringMatching(/00:10$/),
      expect.stringMatching(/18 Nov.*14:02$/),
    ]);
  });

  it('EXAM-1 the older ones come page by page, and what kept a page away is said there', async () => {
    const { app, draw, server } = openExamination(examinationOf({ state: 'reported' }));
    app.api.on(listExaminations, ({ query }) => {
      if (query.cursor === undefined) return { data: [server.now], next_cursor: 'older' };
      if (app.api.asked.filter((line) => line.includes('cursor=older')).length === 1) throw new TypeError('cut');
      return { data: [{ ...server.now, id: uuid(9), title: 'Renal profile of May' }], next_cursor: null };
    });
    draw(<ExaminationsPane {...place} facility={{ ...facility, permissions: [] }} />);
    await press('Show more');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    await press('Try again');
    expect(await screen.findByRole('link', { name: /Renal profile of May/ })).toBeTruthy();
    expect(screen.getAllByRole('link', { name: /Renal profile/ })).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('EXAM-1 a form says what it asks for, and nothing is begun by looking at it', async () => {
    const { app, draw } = openExamination(examinationOf({ state: 'draft' }));
    app.api.on(listExaminationTemplates, () => ({ data: [renal, vital], next_cursor: null }));
    draw(<ExaminationsPane {...place} />);
    const form = async (name: string) => screen.findByRole('button', { name });
    await press('Vital signs');
    expect((await form('Vital signs')).getAttribute('aria-expanded')).toBe('true');
    const asked = within(screen.getByRole('region', { name: 'Vital signs' }));
    expect(asked.getByText(vital.fields.map(({ label }) => label).join(', '))).toBeTruthy();
    await press('Renal profile');
    expect((await form('Vital signs')).getAttribute('aria-expanded')).toBe('false');
    expect(screen.getAllByRole('button', { name: 'Begin' })).toHaveLength(1);
    await press('Renal profile');
    expect(screen.queryByRole('button', { name: 'Begin' })).toBeNull();
    expect(app.api.asked.filter((line) => line.startsWith('POST'))).toEqual([]);
    expect(app.navigate).not.toHaveBeenCalled();
  });

  it('EXAM-1 a new one is begun by a form, once however often one presses, and opened', async () => {
    const { app, draw, server } = openExamination(examinationOf({ state: 'draft' }));
    const ids = new Set<string>();
    app.api.on(listExaminationTemplates, () => ({ data: [renal, vital], next_cursor: null }));
    app.api.on(createExamination, ({ body }) => {
      ids.add(body.client_id);
      if (ids.size === 1 && app.api.asked.filter((line) => line.startsWith('POST')).length === 1)
        throw new FakeRefusal('forbidden');
      server.now = { ...server.now, id: body.client_id };
      return server.now;
    });
    draw(<ExaminationsPane {...place} />);
    await press('Vital signs');
    await press('Begin');
    expect(await screen.findByRole('alert')).toBeTruthy();
    await press('Begin');
    await waitFor(() => expect(app.navigate).toHaveBeenCalledWith({ to: `/chat/e-${[...ids][0]}` }));
    expect(ids.size).toBe(1);
    expect(await screen.findByRole('link', { name: /Renal profile/ })).toBeTruthy();
  });
});
