// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { JoinHandlers } from '@wardline/client/realtime/realtime.ts';
import type { DeviceStore, StoreChange } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { type chatChannel, listParticipants } from '@wardline/contract/chat/chat.ts';
import { type Citation, type CitingMessage, listCitations } from '@wardline/contract/chat/citations.ts';
import {
  acknowledgeReport,
  createExamination,
  type Entry,
  type Examination,
  type ExaminationTemplate,
  getExamination,
  listExaminations,
  listExaminationTemplates,
  listReportVersions,
  moveExamination,
  noteExaminationPrint,
  type ReportVersion,
  updateExamination,
} from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { listTrend, type TrendValue } from '@wardline/contract/examinations/trends.ts';
import { listOnCallRoles } from '@wardline/contract/facilities/on-call.ts';
import type { LiveMessage } from '@wardline/contract/live.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CiteOffer, LinkedFinding } from '#/features/examinations/citing/finding-menu.tsx';
import type { PicturesOffer } from '#/features/examinations/core/pictures-context.ts';
import { ExaminationAct } from '#/features/examinations/list/examination-act.tsx';
import { ExaminationsPane } from '#/features/examinations/list/examinations-pane.tsx';
import { ExaminationPane } from '#/features/examinations/panel/examination-pane.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import { ana, anaUser, edith, mira, stBrigid } from '#/testing/fake-chats.ts';

beforeEach(() => setOnline(true));
afterEach(() => void vi.restoreAllMocks());

const facility = { ...stBrigid, permissions: ['examinations.write', 'examinations.sign'] };
const uuid = (number: number) => `019ff2c9-0000-7000-8000-00000000000${number}`;
const at = '2026-11-20T00:10:00.000Z';

const renal: ExaminationTemplate = {
  ...{ id: uuid(1), version: 1, type: 'laboratory', name: 'Renal profile' },
  fields: [
    {
      code: 'potassium',
      label: 'Potassium',
      kind: 'quantity',
      part: 'finding',
      unit: { code: 'mmol/L', label: 'mmol/L' },
      ranges: [{ low: '3.5', high: '5.3', critical_high: '6.5' }],
      ...{ absolute_low: '0.5', absolute_high: '20' },
    },
    { code: 'sodium', label: 'Sodium', kind: 'quantity', part: 'finding', ranges: [{ low: '133', high: '146' }] },
    { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
  ],
};
const vital: ExaminationTemplate = {
  ...{ id: uuid(2), version: 1, type: 'vital_signs', name: 'Vital signs', is_bedside: true },
  fields: [
    { code: 'rr', label: 'Respiratory rate', kind: 'quantity', part: 'finding', decimals: 0, news2: 'respiration' },
    {
      code: 'o2',
      label: 'Air or oxygen',
      kind: 'code',
      part: 'finding',
      news2: 'oxygen',
      options: [
        { code: 'air', label: 'Air' },
        { code: 'oxygen', label: 'Oxygen' },
      ],
    },
    { code: 'pulse', label: 'Pulse', kind: 'quantity', part: 'finding', news2: 'pulse' },
    { code: 'spo2', label: 'SpO₂', kind: 'quantity', part: 'finding', decimals: 0, news2: 'spo2' },
    {
      ...{ code: 'scale', label: 'SpO₂ scale', kind: 'code', part: 'finding', news2: 'spo2_scale' },
      options: [
        { code: '1', label: 'Scale 1' },
        { code: '2', label: 'Scale 2, target 88–92 %' },
      ],
    },
  ],
};

const imaging: ExaminationTemplate = {
  ...{ id: uuid(3), version: 1, type: 'imaging', name: 'Imaging' },
  fields: [
    { code: 'question', label: 'Clinical question', kind: 'text', part: 'request' },
    { code: 'main_finding', label: 'Main finding', kind: 'text', part: 'finding' },
    { code: 'impression', label: 'Impression', kind: 'text', part: 'report' },
  ],
};

const entry = (field: string, value: string): Entry => ({ field, value, interpretation: null, comparison: null });
function toStored(entries: readonly Entry[], version = 1, by = ana): Examination['entries'] {
  return entries.map((one) => ({ ...one, by: { user_id: by.id, name: by.name }, at, version }));
}
const person = (who: typeof ana) => ({ user_id: who.id, name: who.name });

function examinationOf(change: Partial<Examination> = {}): Examination {
  const template = change.template ?? renal;
  return {
    ...{ id: uuid(5), chat_id: edith.id, facility_id: facility.id, type: template.type, title: template.name },
    ...{ state: 'in_progress', version: 3, report_version: 0, critical: [], must_acknowledge: false, updated_at: at },
    ...{ template, patient: { name: 'Edith Maron', identifier: '40-118-236', born_on: '1948-03-14', bed: null } },
    ...{
      patient_sex: null,
      created: { by: person(mira), at },
      requested: { by: person(mira), at },
      reason: null,
      entries: [],
    },
    my: { can_write: true, can_sign: true, can_mark_in_error: true, read_version: 0, acknowledged_version: 0 },
    ...change,
  };
}

/** A server that has one examination, and what was asked of it. */
function open(
  first: Examination,
  { store = createMemoryStore(ana.id), versions = [] as ReportVersion[], linked = null as LinkedFinding | null } = {},
) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const server = { now: first, versions, citing: [] as CitingMessage[] };
  const asked: unknown[] = [];
  app.api.on(getExamination, () => server.now);
  app.api.on(listExaminations, () => ({ data: [server.now], next_cursor: null }));
  app.api.on(listReportVersions, () => ({ data: server.versions, next_cursor: null }));
  app.api.on(listCitations, () => ({ data: server.citing, next_cursor: null }));
  app.api.on(updateExamination, ({ body }) => {
    asked.push(body);
    const version = server.now.version + 1;
    const given = (body.entries ?? []).map(({ field, value, regions }) => ({
      ...entry(field, value),
      ...(regions?.length && { regions }),
    }));
    const others = server.now.entries.filter(({ field }) => !given.some((one) => one.field === field));
    server.now = { ...server.now, version, entries: [...others, ...toStored(given, version)] };
    return server.now;
  });
  app.api.on(moveExamination, ({ body }) => {
    asked.push(body);
    const isSigned = body.to === 'reported' || body.to === 'amended';
    const report_version = server.now.report_version + Number(isSigned);
    server.now = { ...server.now, state: body.to, version: server.now.version + 1, report_version };
    return server.now;
  });
  app.api.on(acknowledgeReport, ({ body }) => {
    asked.push(body);
    const acknowledged_version = body.is_acknowledged ? body.version : server.now.my.acknowledged_version;
    const my = { ...server.now.my, read_version: body.version, acknowledged_version };
    server.now = { ...server.now, my, must_acknowledge: server.now.must_acknowledge && !body.is_acknowledged };
    return { read_version: body.version, acknowledged_version };
  });
  const heard = {
    changed: () => undefined as unknown,
    live: (_message: object, _from: string) => undefined as unknown,
  };
  const said: LiveMessage[] = [];
  const join = (_channel: unknown, _id: string, on: JoinHandlers<typeof chatChannel>) => {
    const { events, whispers } = on;
    if (events) heard.changed = () => events.ExaminationChanged?.({ examination_id: server.now.id } as never);
    if (whispers) {
      heard.live = (message, from) => whispers['live']?.(message, from);
      queueMicrotask(() => on.onSubscribed?.({}));
    }
    return { leave: () => undefined, whisper: (_name: string, message: LiveMessage) => said.push(message) };
  };
  const pane = (
    <ExaminationPane
      {...{ facility, urgent, cite, pictures, linked }}
      chatId={edith.id}
      examinationId={first.id}
      myId={ana.id}
      chatPath="/chat"
    />
  );
  const outbox = createSharedOutbox({ store, userId: ana.id, log: createSilentLog(), firstKind: 'message' });
  const around = (page: React.ReactNode) => (
    <DeviceContext value={{ store, outbox }}>
      <RealtimeContext value={{ join } as never}>{page}</RealtimeContext>
    </DeviceContext>
  );
  const draw = (what: React.ReactNode = pane) => app.draw(what, around);
  return {
    app,
    asked,
    server,
    draw,
    heard,
    said,
    refuse: (errors: Record<string, string[]>) => refuseOnce(app, errors),
  };
}

/** The chat's composer of urgent messages stands for itself here. */
const urgent = ({ text }: { readonly text: string }) => <p role="note">{text}</p>;

/** So does its viewer of pictures: what is shown in it, and one place that can be marked. */
const nodule: Region = { ...{ attachment_id: uuid(7), shape: 'ellipse', x: 0.1, y: 0.2 }, width: 0.3, height: 0.4 };
const pictures = ({ first, regions, marking, onClose }: PicturesOffer) => (
  <div role="dialog" aria-label={`Pictures from ${first ?? 'the newest'}: ${regions.map(({ label }) => label)}`}>
    {marking && (
      <button type="button" onClick={() => marking.onMark(nodule)}>
        Mark {marking.label}
      </button>
    )}
    <button type="button" onClick={onClose}>
      Close pictures
    </button>
  </div>
);

/** So does its way to cite a finding. */
const cited: Citation[] = [];
const cite = ({ citation, onCited }: CiteOffer) => (
  <button
    type="button"
    onClick={() => {
      cited.push(citation);
      onCited();
    }}
  >
    Cite in chat
  </button>
);

/** The next change is refused: others were there. */
function refuseOnce(app: ReturnType<typeof createFakeApp>, errors: Record<string, string[]>): void {
  app.api.around = async ({ line }, go) => {
    if (!line.startsWith('PATCH')) return go();
    app.answer();
    return Response.json({ message: 'Changed.', errors }, { status: 409 });
  };
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
async function type(label: string, value: string, leaves = true): Promise<void> {
  fireEvent.change(await field(label), { target: { value } });
  if (leaves) fireEvent.blur(await field(label));
}
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const flagOf = (label: string) =>
  screen.getByRole('rowheader', { name: label }).closest('tr')?.lastElementChild?.textContent;

describe('an examination beside its chat', () => {
  it('EXAM-1 says what it is, how it stands, of which patient by two identifiers, and who asked for it', async () => {
    open(examinationOf()).draw();
    expect(await screen.findByRole('region', { name: 'Renal profile' })).toBeTruthy();
    for (const said of ['In progress', 'Edith Maron', /MRN 40-118-236/, /14 Mar 1948, 78 years/, /Dr. Mira Okafor/]) {
      expect(screen.getAllByText(said).length).toBeGreaterThan(0);
    }
  });

  it('EXAM-1 one of another chat, or of nobody, is not there', async () => {
    open(examinationOf({ chat_id: uuid(9) })).draw();
    expect(await screen.findByText('You don’t have access to this examination')).toBeTruthy();
  });

  it.each([
    ['EXAM-2 a keypad has only digits for vital signs', vital, 'Respiratory rate', 'decimal'],
    ['EXAM-2 a keyboard has the signs for what a laboratory gives: below a limit, a range', renal, 'Potassium', 'text'],
  ])('%s', async (_what, template, label, inputMode) => {
    open(examinationOf({ template })).draw();
    expect((await field(label)).getAttribute('inputmode')).toBe(inputMode);
  });

  it('EXAM-2 flags a value as it is typed, and stores it when the field is left', async () => {
    const { asked, draw } = open(examinationOf());
    draw();
    await type('Potassium', '6.8', false);
    expect(flagOf('Potassium')).toContain('Critically high');
    await type('Potassium', '5.3', false);
    expect(flagOf('Potassium')).toContain('Within range');
    expect(asked).toEqual([]);
    await type('Potassium', '13.1');
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ expected_version: 3, entries: [{ field: 'potassium', value: '13.1' }] });
  });

  it('EXAM-2 SHELL-8 says of a value that was left what its flag is or what is wrong, once for a value and not while it is typed', async () => {
    open(examinationOf({ entries: [] })).draw();
    const said = async () => {
      await field('Potassium');
      return screen.getAllByRole('status').map(({ textContent }) => textContent);
    };
    await type('Potassium', '6', false);
    expect((await said()).join()).not.toContain('Potassium');
    await type('Potassium', '6.8');
    expect(await said()).toContain('Potassium 6.8: Critically high');
    await type('Sodium', 'many');
    expect(await said()).toContain('Sodium many: Enter a number.');
    await type('Potassium', '4.2');
    expect((await said()).join()).not.toMatch(/Potassium|Sodium/);
  });

  it('EXAM-2 what does not fit its field is told there and not sent', async () => {
    const { asked, draw } = open(examinationOf());
    draw();
    await type('Potassium', 'six');
    expect(await screen.findByText('Enter a number.')).toBeTruthy();
    expect((await field('Potassium')).getAttribute('aria-invalid')).toBe('true');
    await type('Sodium', '131');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
  });

  it('EXAM-2 a number that no patient has is told once the field is left, and not sent', async () => {
    const { asked, draw } = open(examinationOf());
    draw();
    const wrong = '68 can’t be right. Possible: 0.5 to 20 mmol/L.';
    await type('Potassium', '68', false);
    expect(screen.queryByText(wrong)).toBeNull();
    fireEvent.blur(await field('Potassium'));
    expect(await screen.findByText(wrong)).toBeTruthy();
    // On the way to the next number it is no error yet.
    await type('Potassium', '0', false);
    expect(screen.queryByText(/can’t be right/)).toBeNull();
    await type('Sodium', '131');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
  });

  it('EXAM-4 from 5 on or at a single 3 an urgent message is offered with the parts, from 7 on proposed, below it is not', async () => {
    open(examinationOf({ template: vital })).draw();
    await type('Respiratory rate', '16', false);
    await type('Pulse', '120', false);
    expect(screen.queryByRole('button', { name: 'Urgent message' })).toBeNull();
    await type('Pulse', '135', false);
    expect(screen.getByRole('button', { name: 'Urgent message' })).toBeTruthy();
    expect(screen.queryByText('Call somebody now.')).toBeNull();
    await type('Respiratory rate', '26', false);
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    expect(screen.getByText('Call somebody now.')).toBeTruthy();
    await press('Urgent message');
    expect(screen.getByRole('note').textContent).toBe(
      'Edith Maron, MRN 40-118-236\nNEWS2 not complete, high: Breaths 3, Oxygen 2, Pulse 3\nEmergency assessment. Monitor continuously.',
    );
  });

  it('EXAM-4 the score stands with its parts as one types, and says what is missing', async () => {
    open(examinationOf({ template: vital })).draw();
    await type('Respiratory rate', '25', false);
    const score = screen.getByRole('region', { name: 'NEWS2' });
    expect(score.textContent).toContain('Breaths3');
    expect(score.textContent).toContain('A single 3 already');
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    await type('Pulse', '112', false);
    expect(score.textContent).toContain('High already');
    expect(score.textContent).toContain('Missing: SpO₂, Systolic, Consciousness, Temperature.');
  });

  it('EXAM-2 a saturation is flagged as typed by the scale that is in force', async () => {
    open(examinationOf({ template: vital })).draw();
    await type('SpO₂', '88', false);
    const row = () => screen.getByRole('row', { name: /^SpO₂ (?!scale)/ }).textContent;
    expect(row()).toContain('≥ 96LLow: 3 points in NEWS2 by scale 1');
    fireEvent.change(await field('SpO₂ scale'), { target: { value: '2' } });
    expect(row()).toMatch(/88–92$/);
    await type('SpO₂', '97', false);
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'oxygen' } });
    expect(row()).toContain('HHigh: 3 points in NEWS2 by scale 2');
    fireEvent.change(await field('Air or oxygen'), { target: { value: 'air' } });
    expect(row()).not.toContain('points');
    await type('SpO₂', '94', false);
    fireEvent.change(await field('SpO₂ scale'), { target: { value: '1' } });
    expect(row()).toContain('1 point in NEWS2 by scale 1');
    cleanup();
    const entries = toStored([entry('spo2', '88')]);
    open(examinationOf({ template: vital, state: 'reported', report_version: 1, entries })).draw();
    expect((await screen.findByRole('row', { name: /SpO₂/ })).textContent).toContain('3 points in NEWS2 by scale 1');
  });

  it('EXAM-4 there is no score for a child', async () => {
    const child = { name: 'Noor', identifier: '1', born_on: '2020-01-01', bed: null };
    open(examinationOf({ template: vital, patient: child })).draw();
    expect(await screen.findByText('NEWS2 is for people aged 16 and over.')).toBeTruthy();
  });
});

describe('EXAM-2 where a finding is seen', () => {
  const inText = 'Ellipse 10 % from the left, 20 % from the top, 30 % wide, 40 % high';
  const place = () => screen.findByRole('button', { name: `Picture, place 1 ${inText}` });

  it('EXAM-2 is marked once there are words for it, stored with them, and taken away again', async () => {
    const { asked, draw } = open(examinationOf({ template: imaging }));
    draw();
    await field('Main finding');
    expect(screen.queryByRole('button', { name: /^Mark on a picture/ })).toBeNull();
    await type('Main finding', 'Nodule');
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
    const first = open(examinationOf({ template: imaging }), { store });
    const { unmount } = first.draw();
    await field('Main finding');
    act(() => setOnline(false));
    first.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    await type('Main finding', 'Nodule');
    await press('Mark on a picture for Main finding');
    await press('Mark Main finding');
    expect(await place()).toBeTruthy();
    expect(first.asked).toEqual([]);
    unmount();
    act(() => setOnline(true));
    const again = open(examinationOf({ template: imaging }), { store });
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
    open(examinationOf(signed), { versions: [version(2, [other]), version(1, [nodule])] }).draw();
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
    const opened = open(report(), { store });
    opened.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    return opened;
  }

  it('EXAM-1 PWA-5 a signed result that was read is read without a network, until its chat goes', async () => {
    const store = ownStore();
    const first = open(report(), { store, versions: [signed] });
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
    const first = open(examinationOf(), { store });
    const { unmount } = first.draw();
    await type('Potassium', '4.4');
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
    const first = open(report(), { store });
    const { unmount } = first.draw();
    await screen.findByRole('row', { name: /Potassium/ });
    unmount();
    const refused = open(report(), { store });
    refused.app.refuse(404);
    const gone = refused.draw();
    expect(await screen.findByText('You don’t have access to this examination')).toBeTruthy();
    gone.unmount();
    openOffline(store).draw();
    expect(await screen.findByText('The examination did not load')).toBeTruthy();
  });

  it('EXAM-1 PWA-5 lists the examinations of a chat as they were known last', async () => {
    const store = ownStore();
    const list = (opened: ReturnType<typeof open>) =>
      opened.draw(
        <ExaminationsPane
          facility={{ ...facility, permissions: [] }}
          {...{ chatId: edith.id, chatPath: '/chat', me: ana, patient: null }}
        />,
      );
    const { unmount } = list(open(report(), { store }));
    await screen.findByRole('link', { name: /Renal profile/ });
    unmount();
    list(openOffline(store));
    expect(await screen.findByRole('link', { name: /Renal profile/ })).toBeTruthy();
  });
});

describe('what is typed', () => {
  it('EXAM-1 survives a reload, until it is stored', async () => {
    const store = createMemoryStore(ana.id);
    const first = open(examinationOf(), { store });
    const { unmount } = first.draw();
    await type('Impression', 'Severe hyper', false);
    unmount();
    const second = open(examinationOf(), { store });
    second.draw();
    await waitFor(async () => expect((await field('Impression')).value).toBe('Severe hyper'));
    fireEvent.blur(await field('Impression'));
    await waitFor(async () => expect(await store.meta(`examination/${uuid(5)}`)).toBeUndefined());
    expect(second.asked).toMatchObject([{ entries: [{ field: 'impression', value: 'Severe hyper' }] }]);
  });

  it('EXAM-1 can’t be saved offline, says so, is kept, and is stored once the network is back', async () => {
    const { app, asked, draw } = open(examinationOf());
    draw();
    await field('Potassium');
    act(() => setOnline(false));
    app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    await type('Potassium', '6.8');
    expect(screen.getByText(/It can’t be saved now/)).toBeTruthy();
    expect(screen.getByText(/is sent once you’re back online/)).toBeTruthy();
    expect((await field('Potassium')).value).toBe('6.8');
    app.answer();
    act(() => setOnline(true));
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'potassium', value: '6.8' }] }]));
  });

  it('EXAM-1 PWA-5 is shown in its form after a reload without a network, where the device keeps nothing that was read', async () => {
    const store = createMemoryStore(ana.id);
    const first = open(examinationOf(), { store });
    const { unmount } = first.draw();
    await type('Potassium', '6.8', false);
    unmount();
    act(() => setOnline(false));
    const again = open(examinationOf(), { store });
    again.app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
    again.draw();
    await waitFor(async () => expect((await field('Potassium')).value).toBe('6.8'));
    expect(screen.getByText(/It can’t be saved now/)).toBeTruthy();
    again.app.answer();
    act(() => setOnline(true));
    await waitFor(() => expect(again.asked).toMatchObject([{ entries: [{ field: 'potassium', value: '6.8' }] }]));
  });

  it('EXAM-5 what changes while the change before it is asked for is shown too', async () => {
    const { app, server, draw, heard } = open(examinationOf());
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
    const { asked, server, draw, heard } = open(examinationOf());
    draw();
    await type('Potassium', '4.8', false);
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
    await type('Sodium', '141');
    await waitFor(() => expect(asked).toMatchObject([{ entries: [{ field: 'sodium' }] }]));
    await press('Keep mine: 4.8');
    await waitFor(() =>
      expect(asked[1]).toMatchObject({ expected_version: 5, entries: [{ field: 'potassium', value: '4.8' }] }),
    );
    expect(screen.queryByText('Dr. Mira Okafor entered 6.8.')).toBeNull();
  });

  it('EXAM-1 A48 theirs can be taken instead', async () => {
    const { asked, server, draw, refuse } = open(examinationOf());
    draw();
    await type('Potassium', '4.8', false);
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
    const { draw, heard } = open(examinationOf());
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
    const { draw, said: told } = open(examinationOf());
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
    const { draw, heard } = open(examinationOf());
    draw();
    await field('Potassium');
    act(() => void heard.live(message(['potassium']), null as never));
    const { entries, ...rest } = message(['potassium']);
    act(() => void heard.live({ ...rest, entries: entries.map((one) => ({ ...one, value: 'Edith Maron' })) }, mira.id));
    act(() => void heard.live({ ...rest, n: 9_999, entries: [{ ...entries[0], ttl_ms: 1e9 }] }, mira.id));
    expect(screen.queryByTitle(/editing/)).toBeNull();
  });
});

describe('the next step', () => {
  it('EXAM-1 of a draft is to request it; at the bedside it is started at once', async () => {
    const lab = open(examinationOf({ state: 'draft', requested: null }));
    const { unmount } = lab.draw();
    await press('Request');
    await waitFor(() => expect(lab.asked).toMatchObject([{ to: 'requested', expected_version: 3 }]));
    unmount();
    const bedside = open(examinationOf({ state: 'draft', requested: null, template: vital }));
    bedside.draw();
    await press('Start');
    await waitFor(() =>
      expect(bedside.asked).toMatchObject([
        { to: 'requested', expected_version: 3 },
        { to: 'in_progress', expected_version: 4 },
      ]),
    );
  });

  it('EXAM-3 signing asks first, and signs what stands', async () => {
    const { asked, draw } = open(examinationOf({ entries: toStored([entry('potassium', '5.0')]) }));
    draw();
    await press('Sign report');
    const dialog = await screen.findByRole('dialog', { name: 'Sign this report?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sign report' }));
    await waitFor(() => expect(asked[0]).toMatchObject({ to: 'reported', expected_version: 3 }));
    expect(await screen.findByText('Reported v1')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Impression' })).toBeNull();
  });

  it('EXAM-3 what another enters while who signs is asked for the reason is not signed over', async () => {
    const { asked, server, draw, heard } = open(
      examinationOf({ state: 'reported', report_version: 1, entries: toStored([entry('potassium', '5.1')]) }),
      { versions: [version(1, '5.1', ana)] },
    );
    draw();
    await press('Amend');
    await type('Potassium', '4.8');
    await press('Sign amendment');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the amendment?' }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Haemolysed' } });
    server.now = {
      ...server.now,
      report_version: 2,
      version: 4,
      entries: toStored([entry('potassium', '5.0')], 4, mira),
    };
    act(() => heard.changed());
    await screen.findByText('Dr. Mira Okafor entered 5.0.');
    fireEvent.click(dialog.getByRole('button', { name: 'Sign amendment' }));
    expect(await dialog.findByText('Decide first whose value stands: Potassium.')).toBeTruthy();
    expect(asked.filter((body) => Object(body).to)).toEqual([]);
  });

  it('EXAM-3 A48 what is needed to sign is said at its field before anything is asked, offline as well', async () => {
    const needed = {
      code: 'impression',
      label: 'Impression',
      kind: 'text',
      part: 'report',
      is_required: true,
    } as const;
    const template = { ...renal, fields: [...renal.fields.slice(0, 2), needed] };
    const { asked, draw } = open(examinationOf({ template }));
    draw();
    await type('Potassium', '5.0');
    await waitFor(() => expect(asked).toHaveLength(1));
    setOnline(false);
    await press('Sign report');
    expect(screen.getByText('Needed to sign: Impression.')).toBeTruthy();
    expect(screen.getByText('Impression is needed to sign.')).toBeTruthy();
    expect(document.activeElement).toBe(await field('Impression'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await type('Impression', 'As before.');
    expect(screen.queryByText(/eeded to sign[:.]/)).toBeNull();
    await press('Sign report');
    expect(await screen.findByRole('dialog', { name: 'Sign this report?' })).toBeTruthy();
  });

  it('EXAM-3 an empty report is not signed; what is missing holds nothing else up', async () => {
    const { asked, draw } = open(examinationOf());
    draw();
    await press('Sign report');
    expect(screen.getByText('Enter at least one finding to sign.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.keyDown(await screen.findByRole('button', { name: 'More' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Return to requested' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Wrong tube' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Return' }));
    await waitFor(() => expect(asked).toMatchObject([{ to: 'requested', reason: 'Wrong tube' }]));
  });

  it('EXAM-5 with a critical finding it is signed with a decision alone: whom to call, and how soon', async () => {
    const { app, asked, draw } = open(examinationOf());
    app.api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
    const participant = { access: 'write', delivered_seq: 0, read_seq: 0, title: null } as const;
    app.api.on(listParticipants, () => ({
      data: [ana, mira].map((who) => ({ ...participant, ...person(who) })),
      next_cursor: null,
    }));
    draw();
    await type('Potassium', '6.8');
    await press('Sign report');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the report: critical result' }));
    expect(dialog.getByText('Potassium 6.8 mmol/L, HH')).toBeTruthy();
    expect(await dialog.findByRole('checkbox', { name: mira.name })).toBeTruthy();
    expect(dialog.queryByRole('checkbox', { name: ana.name }), 'nobody calls themselves').toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Sign and call' }));
    expect(dialog.getByRole('alert').textContent).toBe('Choose whom to call.');
    expect(document.activeElement).toBe(dialog.getByRole('checkbox', { name: mira.name }));
    fireEvent.click(dialog.getByRole('checkbox', { name: mira.name }));
    fireEvent.click(dialog.getByRole('radio', { name: /Within hours/ }));
    fireEvent.click(dialog.getByRole('button', { name: 'Sign and call' }));
    const critical = { kind: 'alert', category: 'hours', targets: { people: [mira.id], role_id: null } };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject({ to: 'reported', critical }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('EXAM-5 or it is signed without an alert, with why; an amendment asks of what is new alone', async () => {
    const signed = examinationOf({
      state: 'reported',
      report_version: 1,
      entries: toStored([entry('potassium', '6.8')]),
      critical_decisions: [{ report_version: 1, by: person(ana), at, reason: 'Known' }],
    });
    const { app, asked, draw } = open(signed, { versions: [version(1, '6.8', ana)] });
    app.api.on(listOnCallRoles, () => ({ data: [], next_cursor: null }));
    app.api.on(listParticipants, () => ({ data: [], next_cursor: null }));
    draw();
    const results = await screen.findByRole('region', { name: 'Critical results' });
    expect(results.textContent).toContain('No alert for version 1: Known');
    await press('Amend');
    await type('Sodium', '140');
    await press('Sign amendment');
    const plain = await screen.findByRole('dialog', { name: 'Sign the amendment?' });
    fireEvent.click(within(plain).getByRole('button', { name: 'Back' }));
    await type('Potassium', '7.1');
    await press('Sign amendment');
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign the amendment: critical result' }));
    fireEvent.click(dialog.getByRole('radio', { name: /No alert/ }));
    const sign = () => fireEvent.click(dialog.getByRole('button', { name: 'Sign without alert' }));
    sign();
    expect(dialog.getAllByText('Say why.')).toHaveLength(2);
    fireEvent.change(dialog.getByLabelText('Reason for the amendment'), { target: { value: 'Repeated' } });
    fireEvent.change(dialog.getByLabelText('Why does nobody need to be called?'), { target: { value: 'Told' } });
    sign();
    const critical = { kind: 'none', reason: 'Told' };
    const signing = { to: 'amended', reason: 'Repeated', critical };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject(signing));
  });

  it('EXAM-5 the panel shows how far an alert has got, who read it back wrongly, and the way to its call', async () => {
    const times = { identified_at: at, notified_at: at, received_at: at, read_back_at: null, acted_at: null };
    const [potassium] = [{ field: 'potassium', label: 'Potassium', value: '6.8', interpretation: 'HH' as const }];
    const alert = {
      ...{ id: uuid(7), examination_id: uuid(5), message_id: uuid(8), seq: 12, title: 'Renal profile', version: 4 },
      ...{ report_version: 1, category: 'minutes', state: 'received', times: { ...times, closed_at: null } },
      findings: [{ ...potassium, unit: { code: 'mmol/L', label: 'mmol/L' } }],
      read_backs: [{ by: person(mira), at, is_right: false, wrong: [{ part: 'value', label: 'Potassium' }] }],
    } as const;
    const entries = toStored([entry('potassium', '6.8')]);
    const signed = { state: 'reported', report_version: 1, entries, critical_alerts: [alert] } as never;
    open(examinationOf(signed), { versions: [version(1, '6.8', ana)] }).draw();
    const results = within(await screen.findByRole('region', { name: 'Critical results' }));
    expect(results.getByText('Received, not read back')).toBeTruthy();
    expect(results.getAllByRole('listitem').filter(({ className }) => className === 'is-reached')).toHaveLength(3);
    expect(results.getByText(/read it back, and the value of Potassium did not agree/)).toBeTruthy();
    expect(results.getByRole('link', { name: 'Open in the chat' }).getAttribute('href')).toBe('/chat?message=12');
  });

  it('CHAT-7 what needs a reason asks for it, and what another changed meanwhile is told there', async () => {
    const { app, asked, draw } = open(examinationOf());
    draw();
    await press('More');
    fireEvent.keyDown(await screen.findByRole('button', { name: 'More' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Cancel examination' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this examination?' });
    const send = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel examination' }));
    send();
    expect(within(dialog).getByText('Say why.')).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Not needed' } });
    app.api.around = async ({ line }, go) =>
      line.startsWith('POST')
        ? Response.json({ message: 'Someone changed this in the meantime.' }, { status: 409 })
        : go();
    send();
    expect(await within(dialog).findByText('Someone changed this in the meantime.')).toBeTruthy();
    app.answer();
    send();
    await waitFor(() => expect(asked).toMatchObject([{ to: 'cancelled', expected_version: 3, reason: 'Not needed' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('EXAM-3 an amendment is typed over the report, kept, and signed with a reason', async () => {
    const store: DeviceStore = createMemoryStore(ana.id);
    const signed = examinationOf({
      state: 'reported',
      report_version: 1,
      entries: toStored([entry('potassium', '6.8')]),
    });
    const { asked, draw } = open(signed, { store, versions: [version(1, '6.8', ana)] });
    const { unmount } = draw();
    await press('Amend');
    await type('Potassium', '4.8');
    unmount();
    draw();
    await waitFor(async () => expect((await field('Potassium')).value).toBe('4.8'));
    await press('Sign amendment');
    const dialog = await screen.findByRole('dialog', { name: 'Sign the amendment?' });
    fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Haemolysed' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Sign amendment' }));
    const change = { to: 'amended', reason: 'Haemolysed', entries: [{ field: 'potassium', value: '4.8' }] };
    await waitFor(() => expect(asked.find((body) => Object(body).to)).toMatchObject(change));
    expect(await screen.findByText('Amended v2')).toBeTruthy();
  });

  it('EXAM-3 A48 nothing is signed over what another entered meanwhile, nor without what does not fit', async () => {
    const { asked, server, draw, heard } = open(
      examinationOf({ state: 'reported', report_version: 1, entries: toStored([entry('potassium', '6.8')]) }),
      { versions: [version(1, '6.8', ana)] },
    );
    draw();
    await press('Amend');
    await type('Potassium', '4.8');
    const entries = toStored([entry('potassium', '5.0'), entry('sodium', '140')], 4, mira);
    server.now = { ...server.now, state: 'amended', report_version: 2, version: 4, entries };
    act(() => heard.changed());
    await waitFor(async () => expect((await field('Sodium')).value).toBe('140'));
    const inTheWay = async () => (await screen.findByText(/^What you typed|^Decide first/)).textContent;
    await type('Sodium', 'many');
    await press('Sign amendment');
    expect(await inTheWay()).toBe('What you typed does not fit yet: Sodium.');
    await type('Sodium', '141');
    expect(await inTheWay(), 'what is solved is not said any more').toBe('Decide first whose value stands: Potassium.');
    await press('Sign amendment');
    expect(screen.queryByRole('dialog'), 'nobody is asked for a reason before').toBeNull();
    expect(document.activeElement).toBe(await field('Potassium'));
    expect(screen.getByText('Dr. Mira Okafor entered 5.0.')).toBeTruthy();
    expect(asked.filter((body) => Object(body).to)).toEqual([]);
  });

  it('EXAM-1 who only reads is offered nothing', async () => {
    const my = {
      can_write: false,
      can_sign: false,
      can_mark_in_error: false,
      read_version: 0,
      acknowledged_version: 0,
    };
    open(examinationOf({ my, entries: toStored([entry('potassium', '6.8')]) })).draw();
    expect(await screen.findByText('6.8')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Sign|More|Amend/ })).toBeNull();
  });
});

const version = (number: number, potassium: string, by = mira): ReportVersion => ({
  ...{ version: number, signed: { by: person(by), at }, patient_sex: null, sha256: 'ab'.repeat(32) },
  ...{ reason: number > 1 ? 'Haemolysed' : null, entries: [entry('potassium', potassium)] },
});

describe('a report that was amended', () => {
  const my = { can_write: true, can_sign: false, can_mark_in_error: false, read_version: 1, acknowledged_version: 1 };
  const amended = examinationOf({
    ...{ state: 'amended', report_version: 2, version: 5, must_acknowledge: true, my },
    ...{ reason: { by: person(mira), at, text: 'Haemolysed' }, entries: toStored([entry('potassium', '4.8')]) },
  });
  const versions = [version(2, '4.8'), version(1, '6.8')];

  it('EXAM-3 shows who read it before what changed and why, and has it acknowledged', async () => {
    const { asked, draw } = open(amended, { versions });
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
    const { asked, draw } = open(
      { ...amended, must_acknowledge: false },
      { versions: [version(2, '4.8', ana), version(1, '6.8')] },
    );
    draw();
    await waitFor(() => expect(asked).toEqual([{ version: 2, is_acknowledged: false }]));
    expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  });

  it('EXAM-3 each version opens with what it changed and the hash of its text', async () => {
    open({ ...amended, must_acknowledge: false }, { versions }).draw();
    await press('Open version 2');
    const list = screen.getByRole('region', { name: 'Versions' });
    expect(list.textContent).toContain('Why: Haemolysed');
    expect(list.querySelector('del')?.textContent).toBe('6.8 mmol/L');
    expect(list.textContent).toContain(`SHA-256 ${'ab'.repeat(32)}`);
  });
});

describe('on paper', () => {
  const printed = async (examination: Examination, versions: ReportVersion[] = []) => {
    const { app, draw } = open(examination, { versions });
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

describe('findings and the talk about them', () => {
  const report = { state: 'reported', report_version: 2 } as const;
  const values = {
    entries: toStored([{ ...entry('potassium', '6.8'), interpretation: 'HH' }, entry('impression', 'Repeat')]),
  };
  const openMenu = async (name: string) =>
    fireEvent.keyDown(await screen.findByRole('button', { name }), { key: 'Enter' });

  it('EXAM-1 a finding of a signed report is cited as it stands there; where the chat is not in view one goes to it', async () => {
    const { app, draw } = open(examinationOf({ ...report, ...values }));
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
    const { draw, server } = open(examinationOf({ ...report, ...values }));
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
    open(examinationOf({ ...report, ...values, state: 'entered_in_error' }), { linked }).draw();
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
    const { draw, app } = open(examinationOf({ ...values, my }));
    draw();
    expect(await screen.findByRole('rowheader', { name: 'Potassium' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Potassium' })).toBeNull();
    expect(app.api.asked.filter((line) => line.includes('/citations'))).toEqual([]);
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
    const { draw } = open(
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
    const { app, draw } = open(examinationOf({ state: 'reported', report_version: 1, entries }));
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

describe('in the chat', () => {
  const place = { facility, chatId: edith.id, chatPath: '/chat', patient: null, me: ana };

  it('EXAM-1 the last line that tells of it leads to it, with how it stands now', async () => {
    const critical = [{ label: 'Potassium', value: '6.8 mmol/L', interpretation: 'HH' as const }];
    const { draw, app } = open(examinationOf({ state: 'reported', report_version: 1, critical }));
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
    const { app, draw, server } = open(examinationOf({ state: 'reported' }));
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
    const { app, draw, server } = open(examinationOf({ state: 'reported' }));
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
    const { app, draw, server } = open(examinationOf({ state: 'reported' }));
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
    const { app, draw } = open(examinationOf({ state: 'draft' }));
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
    const { app, draw, server } = open(examinationOf({ state: 'draft' }));
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
