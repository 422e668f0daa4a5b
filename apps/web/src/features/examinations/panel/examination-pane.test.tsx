// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { DeviceStore, StoreChange } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import type { ReportVersion } from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExaminationsPane } from '#/features/examinations/list/examinations-pane.tsx';
import {
  at,
  entry,
  examinationOf,
  facility,
  field,
  flagOf,
  imaging,
  nodule,
  openExamination,
  person,
  press,
  renal,
  toStored,
  typeInto,
  uuid,
  vital,
} from '#/features/examinations/testing/open-examination.tsx';
import { setOnline } from '#/testing/fake-app.tsx';
import { ana, edith, mira } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

describe('an examination beside its chat', () => {
  it('EXAM-1 says what it is, how it stands, of which patient by two identifiers, and who asked for it', async () => {
    openExamination(examinationOf()).draw();
    expect(await screen.findByRole('region', { name: 'Renal profile' })).toBeTruthy();
    for (const said of ['In progress', 'Edith Maron', /MRN 40-118-236/, /14 Mar 1948, 78 years/, /Dr. Mira Okafor/]) {
      expect(screen.getAllByText(said).length).toBeGreaterThan(0);
    }
  });

  it('EXAM-1 one of another chat, or of nobody, is not there', async () => {
    openExamination(examinationOf({ chat_id: uuid(9) })).draw();
    expect(await screen.findByText('You don’t have access to this examination')).toBeTruthy();
  });

  it.each([
    ['EXAM-2 a keypad has only digits for vital signs', vital, 'Respiratory rate', 'decimal'],
    ['EXAM-2 a keyboard has the signs for what a laboratory gives: below a limit, a range', renal, 'Potassium', 'text'],
  ])('%s', async (_what, template, label, inputMode) => {
    openExamination(examinationOf({ template })).draw();
    expect((await field(label)).getAttribute('inputmode')).toBe(inputMode);
  });

  it('EXAM-2 flags a value as it is typed, and stores it when the field is left', async () => {
    const { asked, draw } = openExamination(examinationOf());
    draw();
    await typeInto('Potassium', '6.8', false);
    expect(flagOf('Potassium')).toContain('Critically high');
    await typeInto('Potassium', '5.3', false);
    expect(flagOf('Potassium')).toContain('Within range');
    expect(asked).toEqual([]);
    await typeInto('Potassium', '13.1');
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ expected_version: 3, entries: [{ field: 'potassium', value: '13.1' }] });
  });

  it('EXAM-2 SHELL-8 says of a value that was left what its flag is or what is wrong, once for a value and not while it is typed', async () => {
    openExamination(examinationOf({ entries: [] })).draw();
    const said = async () => {
      await field('Potassium');
      return screen.getAllByRole('status').map(({ textContent }) => textContent);
    };
    await typeInto('Potassium', '6', false);
    expect((await said()).join()).not.toContain('Potassium');
    await typeInto('Potassium', '6.8');
    expect(await said()).toContain('Potassium 6.8: Critically high');
    await typeInto('Sodium', 'many');
    expect(await said()).toContain('Sodium many: Enter a number.');
    await typeInto('Potassium', '4.2');
    expect((await said()).join()).not.toMatch(/Potassium|Sodium/);
  });

  it('EXAM-2 what does not fit its field is told there and not sent', async () => {
    const { asked, draw } = openExamination(examinationOf());
    draw();
    await typeInto('Potassium', 'six');
    expect(await screen.findByText('Enter a number.')).toBeTruthy();
    expect((await field('Potassium')).getAttribute('aria-invalid')).toBe('true');
    await typeInto('Sodium', '131');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
  });

  it('EXAM-2 a number that no patient has is told once the field is left, and not sent', async () => {
    const { asked, draw } = openExamination(examinationOf());
    draw();
    const wrong = '68 can’t be right. Possible: 0.5 to 20 mmol/L.';
    await typeInto('Potassium', '68', false);
    expect(screen.queryByText(wrong)).toBeNull();
    fireEvent.blur(await field('Potassium'));
    expect(await screen.findByText(wrong)).toBeTruthy();
    // On the way to the next number it is no error yet.
    await typeInto('Potassium', '0', false);
    expect(screen.queryByText(/can’t be right/)).toBeNull();
    await typeInto('Sodium', '131');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
  });

  it('EXAM-4 from 5 on or at a single 3 an urgent message is offered with the parts, from 7 on proposed, below it is not', async () => {
    openExamination(examinationOf({ template: vital })).draw();
    await typeInto('Respiratory rate', '16', false);
    await typeInto('Pulse', '120', false);
    expect(screen.queryByRole('button', { name: 'Urgent message' })).toBeNull();
    await typeInto('Pulse', '135', false);
    expect(screen.getByRole('button', { name: 'Urgent message' })).toBeTruthy();
    expect(screen.queryByText('Call somebody now.')).toBeNull();
    await typeInto('Respiratory rate', '26', false);
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    expect(screen.getByText('Call somebody now.')).toBeTruthy();
    await press('Urgent message');
    expect(screen.getByRole('note').textContent).toBe(
      'Edith Maron, MRN 40-118-236\nNEWS2 not complete, high: Breaths 3, Oxygen 2, Pulse 3\nEmergency assessment. Monitor continuously.',
    );
  });

  it('EXAM-4 the score stands with its parts as one types, and says what is missing', async () => {
    openExamination(examinationOf({ template: vital })).draw();
    await typeInto('Respiratory rate', '25', false);
    const score = screen.getByRole('region', { name: 'NEWS2' });
    expect(score.textContent).toContain('Breaths3');
    expect(score.textContent).toContain('A single 3 already');
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    await typeInto('Pulse', '112', false);
    expect(score.textContent).toContain('High already');
    expect(score.textContent).toContain('Missing: SpO₂, Systolic, Consciousness, Temperature.');
  });

  it('EXAM-2 a saturation is flagged as typed by the scale that is in force', async () => {
    openExamination(examinationOf({ template: vital })).draw();
    await typeInto('SpO₂', '88', false);
    const row = () => screen.getByRole('row', { name: /^SpO₂ (?!scale)/ }).textContent;
    expect(row()).toContain('≥ 96LLow: 3 points in NEWS2 by scale 1');
    fireEvent.change(await field('SpO₂ scale'), { target: { value: '2' } });
    expect(row()).toMatch(/88–92$/);
    await typeInto('SpO₂', '97', false);
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    expect(row()).toContain('HHigh: 3 points in NEWS2 by scale 2');
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'air' } });
    expect(row()).not.toContain('points');
    await typeInto('SpO₂', '94', false);
    fireEvent.change(await field('SpO₂ scale'), { target: { value: '1' } });
    expect(row()).toContain('1 point in NEWS2 by scale 1');
    cleanup();
    const entries = toStored([entry('spo2', '88')]);
    openExamination(examinationOf({ template: vital, state: 'reported', report_version: 1, entries })).draw();
    expect((await screen.findByRole('row', { name: /SpO₂/ })).textContent).toContain('3 points in NEWS2 by scale 1');
  });

  it('EXAM-4 there is no score for a child', async () => {
    const child = { name: 'Noor', identifier: '1', born_on: '2020-01-01', bed: null };
    openExamination(examinationOf({ template: vital, patient: child })).draw();
    expect(await screen.findByText('NEWS2 is for people aged 16 and over.')).toBeTruthy();
  });
});

describe('EXAM-2 where a finding is seen', () => {
  const inText = 'Ellipse 10 % from the left, 20 % from the top, 30 % wide, 40 % high';
  const place = () => screen.findByRole('button', { name: `Picture, place 1 ${inText}` });

  it('EXAM-2 is marked once there are words for it, stored with them, and taken away again', async () => {
    const { asked, draw } = openExamination(examinationOf({ template: imaging }));
    draw();
    await field('Main finding');
    expect(screen.queryByRole('button', { name: /^Mark on a picture/ })).toBeNull();
    await typeInto('Main finding', 'Nodule');
    await press('Mark on a picture for Main finding');
    await press('Mark Main finding');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ entries: [{ value: 'Nodule', regions: [nodule] }] }));
    await press('Close pictures');
    fireEvent.click(await place());
    expect(screen.getByRole('dialog', { name: `Pictures from ${nodule.attachment_id}: Main finding` })).toBeTruthy();
    await press('Remove Picture, place 1');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ entries: [{ value: 'Nodule', regions: [] }] }));
  });

  it('EXAM-2 OFF-1 is kept offline with what was typed, through a reload, and stored with the network', async () => {
    const store = createMemoryStore(ana.id);
    const first = openExamination(examinationOf({ template: imaging }), { store });
    const { unmount } = first.draw();
    await field('Main finding');
    act(() => setOnline(false));
    first.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    await typeInto('Main finding', 'Nodule');
    await press('Mark on a picture for Main finding');
    await press('Mark Main finding');
    expect(await place()).toBeTruthy();
    expect(first.asked).toEqual([]);
    unmount();
    act(() => setOnline(true));
    const again = openExamination(examinationOf({ template: imaging }), { store });
    again.draw();
    expect(await place()).toBeTruthy();
    fireEvent.blur(await field('Main finding'));
    await waitFor(() => expect(again.asked).toMatchObject([{ entries: [{ value: 'Nodule', regions: [nodule] }] }]));
  });

  it('EXAM-3 of a signed report is looked at and not changed, and an older version keeps its own', async () => {
    const other: Region = { ...nodule, shape: 'point', width: 0, height: 0 };
    const marked = (regions: Region[]) => [{ ...entry('main_finding', 'Nodule'), regions }];
    const name = { id: uuid(7), name: 'chest.webp', mime: 'image/webp', sha256: 'ab' };
    const version = (number: number, regions: Region[]): ReportVersion => ({
      ...{ version: number, signed: { by: person(mira), at }, reason: null, patient_sex: null },
      ...{ entries: marked(regions), pictures: [name], sha256: 'cd' },
    });
    const signed = {
      template: imaging,
      state: 'amended',
      report_version: 2,
      entries: toStored(marked([other])),
    } as const;
    openExamination(examinationOf(signed), { versions: [version(2, [other]), version(1, [nodule])] }).draw();
    const now = 'Point 10 % from the left, 20 % from the top';
    expect(await screen.findByRole('button', { name: `chest.webp, place 1 ${now}` })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Remove|^Mark on/ })).toBeNull();
    await press('Open version 1');
    expect(await screen.findByRole('button', { name: `chest.webp, place 1 ${inText}` })).toBeTruthy();
  });
});

describe('on a device of one’s own', () => {
  /** Keeps what was read too. */
  function ownStore(): DeviceStore {
    const store = createMemoryStore(ana.id);
    const keep = (change: StoreChange) => (change.type === 'put-meta' ? { ...change, isCache: false } : change);
    return { ...store, isCaching: true, write: (changes) => store.write(changes.map(keep)) };
  }
  const signed: ReportVersion = {
    ...{ version: 1, signed: { by: person(mira), at }, reason: null, patient_sex: null, sha256: 'ab' },
    entries: [entry('potassium', '4.4')],
  };
  const report = () => examinationOf({ state: 'reported', report_version: 1, entries: toStored(signed.entries) });
  function openOffline(store: DeviceStore) {
    act(() => setOnline(false));
    const opened = openExamination(report(), { store });
    opened.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    return opened;
  }

  it('EXAM-1 PWA-5 a signed result that was read is read without a network, until its chat goes', async () => {
    const store = ownStore();
    const first = openExamination(report(), { store, versions: [signed] });
    const { unmount } = first.draw();
    await screen.findByRole('button', { name: 'Open version 1' });
    unmount();
    const again = openOffline(store).draw();
    expect((await screen.findByRole('row', { name: /Potassium/ })).textContent).toContain('4.4');
    expect(await screen.findByRole('button', { name: 'Open version 1' })).toBeTruthy();
    expect(screen.getByText('It may have changed since this device read it.')).toBeTruthy();
    again.unmount();
    await store.write([{ type: 'wipe-chat', chatId: edith.id }]);
    openOffline(store).draw();
    expect(await screen.findByText('The examination did not load')).toBeTruthy();
  });

  it('EXAM-1 PWA-5 keeps what was saved last, not what was read before it', async () => {
    const store = ownStore();
    const first = openExamination(examinationOf(), { store });
    const { unmount } = first.draw();
    await typeInto('Potassium', '4.4');
    await waitFor(() => expect(first.asked).toHaveLength(1));
    await waitFor(async () =>
      expect(await store.meta(`examination-read/${uuid(5)}`)).toMatchObject({ version: first.server.now.version }),
    );
    unmount();
    openOffline(store).draw();
    await waitFor(async () => expect((await field('Potassium')).value).toBe('4.4'));
  });

  it('EXAM-1 PWA-5 what the server refuses to tell is kept no longer', async () => {
    const store = ownStore();
    const first = openExamination(report(), { store });
    const { unmount } = first.draw();
    await screen.findByRole('row', { name: /Potassium/ });
    unmount();
    const refused = openExamination(report(), { store });
    refused.app.refuse(404);
    const gone = refused.draw();
    expect(await screen.findByText('You don’t have access to this examination')).toBeTruthy();
    gone.unmount();
    openOffline(store).draw();
    expect(await screen.findByText('The examination did not load')).toBeTruthy();
  });

  it('EXAM-1 PWA-5 lists the examinations of a chat as they were known last', async () => {
    const store = ownStore();
    const list = (opened: ReturnType<typeof openExamination>) =>
      opened.draw(
        <ExaminationsPane
          facility={{ ...facility, permissions: [] }}
          {...{ chatId: edith.id, chatPath: '/chat', me: ana, patient: null }}
        />,
      );
    const { unmount } = list(openExamination(report(), { store }));
    await screen.findByRole('link', { name: /Renal profile/ });
    unmount();
    list(openOffline(store));
    expect(await screen.findByRole('link', { name: /Renal profile/ })).toBeTruthy();
  });
});
