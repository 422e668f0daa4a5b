import { toStoredNames } from '@wardline/census/log/stored-names.ts';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { createFakeTabs } from '@wardline/client/testing/fake-tabs.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import { expect, it } from 'vitest';
import { fakeDay, ICU_ID, ONC_ID, UNIT_ID } from '#/features/census/report/testing/fake-report.ts';
import { draftOf, entryOf, type ReportDraft } from './report-draft.ts';
import { keptNames, laneOf, reportOutbox, waitingReport } from './report-outbox.ts';
import { reportsOnlyHere } from './reports-only-here.ts';

const userId = '01970000-0000-7000-8000-0000000000a1';
const silent = () => new Promise<never>(() => undefined);
/** A server that never answers. */
const call = silent;

const id = (number: number) => UNIT_ID.replace(/1$/, String(number));

const typed = (draft: ReportDraft, observation: string): ReportDraft => ({
  ...draft,
  numbers: { ...draft.numbers, observation },
});

it('CEN-2 A33 tells of drafts that are neither on the server nor as they are in the outbox', async () => {
  const store = createMemoryStore(userId);
  const outbox = createSharedOutbox({
    store,
    userId,
    log: createSilentLog(),
    firstKind: 'message',
    ...createFakeTabs(),
  });
  const { unsent } = reportOutbox(outbox, call);
  await outbox.open();
  const keep = async (unit: string, { unit_code, observation }: { unit_code: string; observation: string }) => {
    const base = fakeDay({ unit_id: unit, unit_code });
    const draft = typed(draftOf(base), observation);
    const place = { unit, date: base.census_date, population: base.population };
    const value = { base, draft };
    await store.write([{ type: 'put-meta', name: keptNames.draft(place), value, isCache: false }]);
    return { place, draft, base };
  };
  const wait = async ({ place, draft, base }: Awaited<ReturnType<typeof keep>>) => {
    const payload = { ...place, entry: { ...entryOf(draft, base), submit: false }, base };
    await unsent.add({ clientId: place.unit, lane: laneOf(place), payload, writtenAt: '2026-11-20T00:10:00Z' });
  };
  expect(await reportsOnlyHere({ store, outbox }, call)).toBeNull();
  await keep(UNIT_ID, { unit_code: 'MED 3A', observation: 'abc' });
  await wait(await keep(ICU_ID, { unit_code: 'ICU', observation: '2' }));
  expect(await reportsOnlyHere({ store, outbox }, call)).toEqual({
    title: '1 report is not saved',
    text: 'MED 3A, Thu 19 Nov: your last changes are only on this device, and signing out deletes them.',
  });
  await wait(await keep(ONC_ID, { unit_code: 'ONC', observation: '3x' }));
  expect((await reportsOnlyHere({ store, outbox }, call))?.title).toBe('2 reports are not saved');
  await keep(id(7), { unit_code: 'PED', observation: '-1' });
  await keep(id(8), { unit_code: 'NUR', observation: '2.5' });
  expect((await reportsOnlyHere({ store, outbox }, call))?.text).toMatch(/^[^;]+; [^;]+; [^;]+; and 1 more: your/);
});

it('CEN-2 A33 a report that waits since a build with other names is shown, found and sent', async () => {
  const store = createMemoryStore(userId);
  const deps = { store, userId, log: createSilentLog(), firstKind: 'message' };
  const outbox = createSharedOutbox({ ...deps, ...createFakeTabs() });
  const asked: unknown[] = [];
  const { unsent } = reportOutbox(outbox, async (_endpoint, ...given) => {
    asked.push((given[0] as { params: unknown }).params);
    return await silent();
  });
  await outbox.open();
  const base = fakeDay({ discussion_chat_id: ICU_ID });
  const place = { unit: UNIT_ID, date: base.census_date, population: base.population };
  const payload = { ...place, entry: { ...entryOf(draftOf(base), base), submit: true }, base };
  const kept = toStoredNames(payload) as typeof payload;
  expect(kept).not.toHaveProperty('population');
  await unsent.add({ clientId: UNIT_ID, lane: laneOf(place), payload: kept, writtenAt: '2026-11-20T00:10:00Z' });
  expect(waitingReport(unsent.get(), place)?.payload).toEqual(payload);
  expect(unsent.get()[0]).toBe(unsent.get()[0]);
  expect(outbox.entries()[0]?.text?.href).toContain('population=adult_and_child');
  await expect.poll(() => asked).toEqual([place]);
  expect(keptNames.draft(place)).toBe(`census/draft/${UNIT_ID}/${base.census_date}/adult_child`);
});
