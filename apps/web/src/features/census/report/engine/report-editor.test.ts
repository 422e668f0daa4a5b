import { transportError } from '@wardline/client/http/api-error.ts';
import { createCall } from '@wardline/client/http/call.ts';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createFakeApi } from '@wardline/client/testing/fake-api.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { fakeTime, until } from '@wardline/client/testing/settle.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { testConfig } from '@wardline/client/testing/test-config.ts';
import { putUnitDay, type UnitDay, type UnitDayEntry } from '@wardline/contract/census/unit.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeDay, fromIcu, UNIT_ID } from '#/features/census/report/testing/fake-report.ts';
import { nilDraft } from './report-draft.ts';
import { createReportEditor, SAVE_AFTER_MS } from './report-editor.ts';
import { keptNames, reportOutbox } from './report-outbox.ts';
import { writeNumber } from './report-view.ts';

const ME = '01970000-0000-7000-8000-0000000000a1';
const place = { unit: UNIT_ID, date: '2026-11-19', population: 'adult_and_child' } as const;

/** A device and a server that keeps one report as the contract promises: by version, once for each client id. */
function createFakeUnit(start: UnitDay = fakeDay()) {
  const api = createFakeApi();
  const seen: UnitDayEntry[] = [];
  const stored = new Map<string, UnitDay>();
  const server = { day: start };
  api.on(putUnitDay, ({ body }) => {
    seen.push(body);
    const repeat = stored.get(body.client_id);
    if (repeat) return repeat;
    const { counts, submit, transfers, client_id } = body;
    server.day = {
      ...server.day,
      saved_request: client_id,
      counts,
      version: server.day.version + 1,
      status: submit ? 'submitted' : server.day.status,
      may: { ...server.day.may, edit: !submit },
      transfers: server.day.transfers.map((transfer) => ({
        ...transfer,
        mine: transfers.find(({ unit_id }) => unit_id === transfer.unit_id)?.count ?? null,
      })),
    };
    stored.set(body.client_id, server.day);
    return server.day;
  });
  const around = { isOffline: false, losesReplies: false };
  api.around = async ({ init }, go) => {
    if (around.isOffline) throw transportError('network', 'offline');
    const version = init.body === undefined ? null : (JSON.parse(String(init.body)) as UnitDayEntry);
    const isReplaced = version?.replaces?.some((id) => id === server.day.saved_request);
    if (version && !stored.has(version.client_id) && version.version !== server.day.version && !isReplaced) {
      const findings = [{ code: 'VERSION_CONFLICT', field: 'version', message: 'Older.' }];
      return Response.json({ message: 'Older.', code: 'conflict', findings }, { status: 409 });
    }
    const answer = await go();
    if (!around.losesReplies) return answer;
    around.losesReplies = false;
    throw transportError('network', 'lost');
  };
  const log = createSilentLog();
  const call = createCall({
    config: testConfig({ retry: 'off' }),
    log,
    onEvent: () => undefined,
    fetch: api.fetch,
    tokenStorage: { get: () => 't', set: () => undefined },
  });
  return { server, seen, around, log, call, store: createMemoryStore(ME) };
}

let made = 0;
function openTab(ward: ReturnType<typeof createFakeUnit>, tabs = createFakeTabs()) {
  const { store, log, call } = ward;
  const outbox = createSharedOutbox({ store, userId: ME, log, firstKind: 'message', random: () => 0.5, ...tabs });
  const reports = reportOutbox(outbox, call);
  const newId = () => {
    made += 1;
    return `01980000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
  };
  const editor = createReportEditor({
    day: ward.server.day,
    store,
    call,
    reports,
    refresh: () => queueMicrotask(() => editor.take(ward.server.day)),
    newId,
  });
  return { outbox, reports, editor, start: () => Promise.all([outbox.open(), editor.open()]) };
}

describe('a report while somebody writes it', () => {
  beforeEach(() => void fakeTime());
  afterEach(() => void vi.useRealTimers());
  const discharged = (count: string) => writeNumber('discharges', count);

  it('CEN-2 typing is kept on the device at once, and on the server when it rests', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    await until(() => editor.get().saved?.on === 'device');
    expect(await ward.store.meta(keptNames.draft(place))).toMatchObject({ draft: { numbers: { discharges: '4' } } });
    expect(ward.seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().saved?.on === 'server');
    expect(ward.seen).toMatchObject([{ submit: false, version: 0, counts: { discharges: 4 } }]);
    await until(async () => (await ward.store.meta(keptNames.draft(place))) === undefined);
  });

  it('CEN-2 A33 what cannot be saved for want of a network waits in the outbox, one draft at a time, and is stored once', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const { editor, outbox, start } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().waiting !== null);
    editor.change(discharged('5'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().waiting?.payload.entry.counts.discharges === 5);
    expect(outbox.count.get()).toMatchObject({ waiting: 1, failed: 0, kinds: ['census-report'] });
    expect(editor.get().unsent).toBeNull();
    ward.around.isOffline = false;
    outbox.flush();
    await until(() => editor.get().waiting === null && editor.get().day.version === 1);
    expect(ward.seen).toMatchObject([{ submit: false, version: 0, counts: { discharges: 5 } }]);
    expect(editor.get()).toMatchObject({
      receipt: null,
      saved: { on: 'server' },
      draft: { numbers: { discharges: '5' } },
    });
    await until(async () => (await ward.store.meta(keptNames.draft(place))) === undefined);
  });

  it('CEN-2 a save whose answer was lost is the same request when it is repeated', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    ward.around.losesReplies = true;
    editor.change(discharged('4'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => ward.seen.length === 2 && editor.get().waiting === null);
    expect(ward.seen[1]?.client_id).toBe(ward.seen[0]?.client_id);
    expect(editor.get()).toMatchObject({ day: { version: 1 }, isConflicting: false });
  });

  it.each([
    ['at once', false, false],
    ['after the page has heard of the save', true, false],
    ['after a reload', true, true],
  ])(
    'F-N3 CEN-2 a report over an autosave whose answer was lost is handed in without a conflict, %s',
    async (_when, isTold, isReloaded) => {
      const ward = createFakeUnit();
      let tab = openTab(ward);
      await tab.start();
      tab.editor.change(discharged('4'));
      ward.around.losesReplies = true;
      await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS - 1);
      const lose = vi.advanceTimersByTimeAsync(1).then(() => {
        ward.around.isOffline = true;
      });
      await until(() => ward.server.day.version === 1);
      ward.around.isOffline = true;
      await lose;
      tab.editor.change((draft) => writeNumber('counted', '24')(nilDraft(draft)));
      await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
      await until(() => tab.editor.get().waiting?.payload.entry.counts.counted === 24);
      if (isReloaded) {
        tab.outbox.stop();
        tab.editor.stop();
        tab = openTab(ward);
        await tab.start();
      }
      if (isTold) tab.editor.take(ward.server.day);
      expect(tab.editor.get()).toMatchObject({ isConflicting: false, draft: { numbers: { counted: '24' } } });
      expect(await tab.editor.submit()).toEqual([]);
      ward.around.isOffline = false;
      tab.outbox.flush();
      await until(() => tab.editor.get().receipt !== null);
      expect(ward.server.day).toMatchObject({ status: 'submitted', counts: { counted: 24 } });
    },
  );

  it('CEN-2 what is typed while a waiting draft is sent stays, and goes next', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const { editor, outbox, start } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().waiting?.state === 'waiting');
    editor.change(writeNumber('deaths', '1'));
    ward.around.isOffline = false;
    outbox.flush();
    await until(() => editor.get().day.version === 1);
    expect(editor.get().draft.numbers).toMatchObject({ discharges: '4', deaths: '1' });
    await until(async () => (await ward.store.meta(keptNames.draft(place))) !== undefined);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().day.version === 2);
    expect(ward.seen).toMatchObject([{ version: 0 }, { version: 1, counts: { discharges: 4, deaths: 1 } }]);
  });

  it('CEN-2 a draft that waits is there again where the device kept nothing else of it', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const first = openTab(ward);
    await first.start();
    first.editor.change(discharged('4'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => first.editor.get().waiting !== null);
    first.outbox.stop();
    first.editor.stop();
    await ward.store.write([{ type: 'remove-meta', name: keptNames.draft(place) }]);
    const second = openTab(ward);
    await second.start();
    expect(second.editor.get().draft.numbers.discharges).toBe('4');
  });

  it('CEN-2 a contradiction is kept on the device and not sent as a draft', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    editor.change((draft) => writeNumber('deaths_u48', '2')(writeNumber('deaths', '1')(draft)));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS * 2);
    expect(ward.seen).toEqual([]);
    expect(await ward.store.meta(keptNames.draft(place))).toBeDefined();
  });

  it('CEN-2 what was typed without a network is there after a reload', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const first = openTab(ward);
    await first.start();
    first.editor.change(discharged('4'));
    await until(() => first.editor.get().saved !== null);
    const second = openTab(ward);
    await second.start();
    expect(second.editor.get().draft.numbers.discharges).toBe('4');
  });

  it('CEN-2 a report submitted without a network survives a reload and is stored once, though its first answer is lost', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const first = openTab(ward);
    await first.start();
    first.editor.change((draft) => writeNumber('counted', '24')(nilDraft(draft)));
    expect(await first.editor.submit()).toEqual([]);
    await until(() => first.editor.get().unsent !== null);
    first.editor.stop();
    first.outbox.stop();
    const second = openTab(ward);
    await second.start();
    await until(() => second.editor.get().unsent?.state === 'waiting');
    expect(second.editor.get()).toMatchObject({ draft: { numbers: { counted: '24' } } });
    Object.assign(ward.around, { isOffline: false, losesReplies: true });
    second.outbox.flush();
    await until(() => second.editor.get().receipt !== null);
    expect(new Set(ward.seen.map(({ client_id }) => client_id)).size).toBe(1);
    expect(ward.seen.length).toBeGreaterThan(1);
    expect(ward.server.day).toMatchObject({ version: 1, status: 'submitted' });
    expect(second.editor.get().unsent).toBeNull();
  });

  it('CEN-1 CEN-R3 nothing incomplete leaves: each field says what it lacks', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    editor.change(nilDraft);
    expect(await editor.submit()).toEqual([
      { code: 'MISSING_VALUE', field: 'counted', message: 'Head count not entered. Enter 0 if there were none.' },
    ]);
    expect(editor.get().unsent).toBeNull();
  });

  it('CEN-2 CEN-R13 a submitted report that meets a newer version ends in the comparison, and what is chosen goes on it', async () => {
    const ward = createFakeUnit();
    const { editor, outbox, start } = openTab(ward);
    await start();
    ward.around.isOffline = true;
    editor.change((draft) => writeNumber('counted', '24')(nilDraft(draft)));
    await editor.submit();
    ward.server.day = { ...fakeDay(), version: 3, counts: { ...fakeDay().counts, deaths: 1 } };
    ward.around.isOffline = false;
    outbox.flush();
    await until(() => editor.get().isConflicting);
    expect(editor.get()).toMatchObject({ unsent: { state: 'failed', refusal: { status: 409 } }, refusals: [] });
    expect(editor.get().draft.numbers.counted).toBe('24');
    expect(await editor.submit()).toMatchObject([{ code: 'VERSION_CONFLICT' }]);
    editor.resolve(editor.get().draft);
    await until(() => editor.get().unsent === null);
    await editor.submit();
    await until(() => editor.get().receipt !== null);
    expect(ward.server.day).toMatchObject({ version: 4, status: 'submitted', counts: { deaths: 0, counted: 24 } });
  });

  it('CEN-2 a newer version replaces what nobody has touched, and never what somebody typed', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    editor.take(fakeDay({ version: 1, counts: { ...fakeDay().counts, deaths: 1 } }));
    expect(editor.get().draft.numbers.deaths).toBe('1');
    editor.change(discharged('4'));
    editor.take(fakeDay({ version: 2, counts: { ...fakeDay().counts, deaths: 2 } }));
    expect(editor.get()).toMatchObject({ isConflicting: true, draft: { numbers: { deaths: '1', discharges: '4' } } });
  });

  it('CEN-2 3.6 an opening that an earlier day has moved is taken under what is typed, which goes on it without a question', async () => {
    const ward = createFakeUnit(fakeDay({ version: 1 }));
    const { editor, start } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    ward.server.day = fakeDay({ version: 2, opening: 30, transfers: [fromIcu(2)] });
    editor.take(ward.server.day);
    expect(editor.get()).toMatchObject({
      isConflicting: false,
      base: { opening: 30 },
      draft: { numbers: { discharges: '4' } },
    });
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    await until(() => editor.get().saved?.on === 'server');
    expect(ward.seen).toMatchObject([{ version: 2, counts: { discharges: 4 } }]);
    editor.change(discharged('5'));
    editor.take({ ...ward.server.day, version: 9, status: 'returned' });
    expect(editor.get().isConflicting).toBe(true);
  });

  it('CEN-1 a partner’s word arrives while one types', async () => {
    const ward = createFakeUnit();
    const { editor, start } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    editor.take(fakeDay({ transfers: [fromIcu(2)] }));
    const { day, draft, isConflicting } = editor.get();
    expect([day.transfers[0]?.theirs, draft.transfers[0]?.text, draft.numbers.discharges, isConflicting]).toEqual([
      2,
      '',
      '4',
      false,
    ]);
  });

  it('CEN-2 a report that waits can be taken back and is a draft again', async () => {
    const ward = createFakeUnit();
    ward.around.isOffline = true;
    const { editor, start, outbox } = openTab(ward);
    await start();
    editor.change((draft) => writeNumber('counted', '24')(nilDraft(draft)));
    await editor.submit();
    await until(() => editor.get().unsent?.state === 'waiting');
    await editor.takeBack();
    expect(editor.get()).toMatchObject({ unsent: null, draft: { numbers: { counted: '24' } } });
    ward.around.isOffline = false;
    outbox.flush();
    await vi.advanceTimersByTimeAsync(1000);
    expect(ward.seen.filter(({ submit }) => submit)).toEqual([]);
  });

  it('CEN-2 what is typed where editing is not allowed is saved nowhere but on this device', async () => {
    const closed = { ...fakeDay().may, edit: false };
    const ward = createFakeUnit(fakeDay({ version: 1, status: 'submitted', may: closed }));
    const { editor, start, outbox } = openTab(ward);
    await start();
    editor.change(discharged('4'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS * 2);
    await editor.retry();
    editor.stop();
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS * 2);
    expect(ward.seen).toEqual([]);
    expect(outbox.count.get()).toMatchObject({ waiting: 0, failed: 0 });
  });
});
