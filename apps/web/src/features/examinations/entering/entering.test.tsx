// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { type ExaminationTemplate, getExamination } from '@wardline/contract/examinations/examinations.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  entry,
  examinationOf,
  field,
  flagOf,
  openExamination,
  press,
  renal,
  toStored,
  typeInto,
  uuid,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, mira } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('what is typed', () => {
  it('EXAM-1 survives a reload, until it is stored', async () => {
    const store = createMemoryStore(ana.id);
    const first = openExamination(examinationOf(), { store });
    const { unmount } = first.draw();
    await typeInto('Impression', 'Severe hyper', false);
    unmount();
    const second = openExamination(examinationOf(), { store });
    second.draw();
    await waitFor(async () => expect((await field('Impression')).value).toBe('Severe hyper'));
    fireEvent.blur(await field('Impression'));
    await waitFor(async () => expect(await store.meta(`examination/${uuid(5)}`)).toBeUndefined());
    expect(second.asked).toMatchObject([{ entries: [{ field: 'impression', value: 'Severe hyper' }] }]);
  });

  it('EXAM-1 can’t be saved offline, says so, is kept, and is stored once the network is back', async () => {
    const { app, asked, draw } = openExamination(examinationOf());
    draw();
    await field('Potassium');
    act(() => setOnline(false));
    app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    await typeInto('Potassium', '6.8');
    expect(screen.getByText(/It can’t be saved now/)).toBeTruthy();
    expect(screen.getByText(/is sent once you’re back online/)).toBeTruthy();
    expect((await field('Potassium')).value).toBe('6.8');
    app.answer();
    act(() => setOnline(true));
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'potassium', value: '6.8' }] }]));
  });

  it('EXAM-1 PWA-5 is shown in its form after a reload without a network, where the device keeps nothing that was read', async () => {
    const store = createMemoryStore(ana.id);
    const first = openExamination(examinationOf(), { store });
    const { unmount } = first.draw();
    await typeInto('Potassium', '6.8', false);
    unmount();
    act(() => setOnline(false));
    const again = openExamination(examinationOf(), { store });
    again.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    again.draw();
    await waitFor(async () => expect((await field('Potassium')).value).toBe('6.8'));
    expect(screen.getByText(/It can’t be saved now/)).toBeTruthy();
    again.app.answer();
    act(() => setOnline(true));
    await waitFor(() => expect(again.asked).toMatchObject([{ entries: [{ field: 'potassium', value: '6.8' }] }]));
  });

  it('EXAM-5 what changes while the change before it is asked for is shown too', async () => {
    const { app, server, draw, heard } = openExamination(examinationOf());
    draw();
    await field('Sodium');
    const answers: (() => void)[] = [];
    app.api.on(getExamination, async () => {
      const read = server.now;
      await new Promise<void>((resolve) => answers.push(resolve));
      return read;
    });
    act(() => heard.changed());
    await waitFor(() => expect(answers).toHaveLength(1));
    server.now = { ...server.now, version: 4, entries: toStored([entry('sodium', '140')], 4, mira) };
    act(() => heard.changed());
    await waitFor(() => expect(answers).toHaveLength(2));
    for (const answer of answers) answer();
    await waitFor(async () => expect((await field('Sodium')).value).toBe('140'));
  });

  it('EXAM-1 A48 is not put over what another entered: the field says so as it comes, with both values, and asks', async () => {
    const { asked, server, draw, heard } = openExamination(examinationOf());
    draw();
    await typeInto('Potassium', '4.8', false);
    server.now = {
      ...server.now,
      version: 4,
      entries: toStored([entry('potassium', '6.8'), entry('sodium', '140')], 4, mira),
    };
    act(() => heard.changed());
    await waitFor(async () => expect((await field('Sodium')).value).toBe('140'));
    expect(screen.getByText('Dr. Mira Okafor entered 6.8.')).toBeTruthy();
    expect((await field('Potassium')).value).toBe('4.8');
    fireEvent.blur(await field('Potassium'));
    // It waits for a decision; other fields go on.
    await typeInto('Sodium', '141');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
    await press('Keep mine: 4.8');
    await waitFor(() =>
      expect(asked[1]).toMatchObject({ expected_version: 5, entries: [{ field: 'potassium', value: '4.8' }] }),
    );
    expect(screen.queryByText('Dr. Mira Okafor entered 6.8.')).toBeNull();
  });

  describe('before somebody went on in a newer version of the form', () => {
    const fields = renal.fields.map((field) =>
      field.code === 'potassium' ? { ...field, unit: { code: 'mg/dL', label: 'mg/dL' } } : field,
    );
    const goOn = ({ server, heard }: ReturnType<typeof openExamination>, template: Partial<ExaminationTemplate>) => {
      server.now = { ...server.now, version: 4, template: { ...renal, version: 2, ...template } };
      act(() => heard.changed());
    };

    it('EXAM-2 A48 is no value of a field that has another unit there: it waits, is told at the field and has no flag', async () => {
      const opened = openExamination(examinationOf());
      opened.draw();
      await typeInto('Potassium', '6.8', false);
      await typeInto('Impression', 'Severe', false);
      expect(flagOf('Potassium')).toContain('Critically high');
      goOn(opened, { fields });
      expect(await screen.findByText('6.8 was entered in mmol/L. The form has mg/dL now: enter it anew.')).toBeTruthy();
      expect(flagOf('Potassium')).not.toContain('Critically');
      await waitFor(() => expect(opened.asked).toHaveLength(1));
      expect(opened.asked).toMatchObject([{ entries: [{ field: 'impression' }] }]);
      await press('Sign report');
      expect(await screen.findAllByText('What you typed does not fit yet: Potassium.')).not.toEqual([]);
      expect(opened.asked).toHaveLength(1);
      await typeInto('Potassium', '17');
      await waitFor(() => expect(opened.asked).toHaveLength(2));
      expect(opened.asked[1]).toMatchObject({ entries: [{ field: 'potassium', value: '17', unit: 'mg/dL' }] });
      expect(screen.queryByText(/enter it anew/)).toBeNull();
    });

    it('EXAM-1 A48 is shown where that has no such field, and stays until it is discarded', async () => {
      const opened = openExamination(examinationOf());
      opened.draw();
      await typeInto('Potassium', '6.8', false);
      await typeInto('Sodium', '140', false);
      goOn(opened, { fields: renal.fields.filter(({ code }) => code !== 'potassium') });
      expect(await screen.findByText(/Potassium: 6.8/)).toBeTruthy();
      await waitFor(() => expect(opened.asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
      await press('Discard');
      await waitFor(() => expect(screen.queryByText(/Potassium: 6.8/)).toBeNull());
    });
  });

  it('EXAM-1 A48 theirs can be taken instead', async () => {
    const { asked, server, draw, refuse } = openExamination(examinationOf());
    draw();
    await typeInto('Potassium', '4.8', false);
    server.now = { ...server.now, version: 4, entries: toStored([entry('potassium', '6.8')], 4, mira) };
    refuse({ 'entries.potassium': ['Dr. Mira Okafor entered 6.8.'] });
    fireEvent.blur(await field('Potassium'));
    await press('Take 6.8');
    expect((await field('Potassium')).value).toBe('6.8');
    expect(asked).toEqual([]);
  });
});

describe('who is in which field', () => {
  const fieldPath = (code: string) => `examinations/${uuid(5)}/fields/${code}`;
  let said = 0;
  const message = (codes: readonly string[], name = 'Dr. Mira Okafor', device = uuid(6)) => {
    said += 1;
    const entries = codes.map((code) => ({ path: fieldPath(code), value: 'editing', ttl_ms: 20_000 }));
    return { device, n: said, entries, by: { name } };
  };
  const describing = (input: HTMLElement) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('');
  };

  it('EXAM-1 CHAT-12 stands under the field by initials and in words, which a screen reader says with it', async () => {
    const { draw, heard } = openExamination(examinationOf());
    draw();
    await field('Potassium');
    act(() => void heard.live(message(['potassium', 'impression']), mira.id));
    expect(describing(await field('Potassium'))).toBe('MODr. Mira Okafor is editing');
    expect(describing(await field('Impression'))).toBe('MODr. Mira Okafor is editing');
    expect(screen.getAllByTitle('Dr. Mira Okafor is editing')).toHaveLength(2);
    act(() => void heard.live(message(['potassium'], 'Leila Haddad', uuid(7)), uuid(7)));
    expect(describing(await field('Potassium'))).toContain('Dr. Mira Okafor and Leila Haddad are editing');
    act(() => void heard.live(message(['potassium'], 'Ana Reyes', uuid(8)), ana.id));
    expect(describing(await field('Potassium'))).toContain('and 2 others are editing');
    act(() => void heard.live(message([]), mira.id));
    act(() => void heard.live(message([], '', uuid(7)), uuid(7)));
    expect(describing(await field('Potassium'))).toContain('You (another window) are editing');
    act(() => void heard.live(message([], '', uuid(8)), ana.id));
    expect(screen.queryByTitle(/editing/)).toBeNull();
  });

  it('EXAM-1 CHAT-12 is told of oneself while the field has the focus, and taken back when it is left', async () => {
    const { draw, said: told } = openExamination(examinationOf());
    draw();
    (await field('Potassium')).focus();
    await waitFor(() => expect(told.at(-1)?.entries.map(({ path }) => path)).toEqual([fieldPath('potassium')]));
    (await field('Impression')).focus();
    await waitFor(() => expect(told.at(-1)?.entries.map(({ path }) => path)).toEqual([fieldPath('impression')]));
    (await field('Impression')).blur();
    await waitFor(() => expect(told.at(-1)?.entries).toEqual([]));
    expect(JSON.stringify(told)).not.toContain('Edith');
  });

  it('CHAT-6 nothing is taken whose sender the server does not name, or that does not fit', async () => {
    const { draw, heard } = openExamination(examinationOf());
    draw();
    await field('Potassium');
    act(() => void heard.live(message(['potassium']), null as never));
    const { entries, ...rest } = message(['potassium']);
    act(() => void heard.live({ ...rest, entries: entries.map((one) => ({ ...one, value: 'Edith Maron' })) }, mira.id));
    act(() => void heard.live({ ...rest, n: 9_999, entries: [{ ...entries[0], ttl_ms: 1e9 }] }, mira.id));
    expect(screen.queryByTitle(/editing/)).toBeNull();
  });
});
