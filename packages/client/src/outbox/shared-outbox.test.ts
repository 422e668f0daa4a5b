import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, transportError } from '#/http/api-error.ts';
import { openDeviceStore } from '#/store/open-device-store.ts';
import { createFakeTabs, type FakeTabs } from '#/testing/fake-tabs.ts';
import { fakeTime, until } from '#/testing/settle.ts';
import { createSilentLog } from '#/testing/silent-log.ts';
import { createSharedOutbox } from './shared-outbox.ts';

const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));

async function openShared(tabs: FakeTabs) {
  const log = createSilentLog();
  const store = await openDeviceStore({ userId: 'u1', log, isOwnDevice: false, fetchKey: async () => key });
  const outbox = createSharedOutbox({ store, userId: 'u1', log, firstKind: 'note', random: () => 1, ...tabs });
  const sent: string[] = [];
  const register = (kind: string, isRefused: () => boolean = () => false) =>
    outbox.of<string, string>(kind, {
      async send({ payload }) {
        if (isRefused()) {
          const findings = [{ code: 'LOCKED', field: null, message: 'Too late.' }];
          throw new ApiError('no', { status: 409, code: 'conflict', findings });
        }
        sent.push(`${kind} ${payload}`);
        return payload;
      },
      deliver: () => [],
      describeFailure: () => `${kind} refused.`,
      describe: ({ payload }) => ({ title: `${kind} ${payload}`, text: '', href: null }),
    });
  const item = (clientId: string, lane = 'l1') => ({
    clientId,
    lane,
    payload: clientId,
    writtenAt: new Date().toISOString(),
  });
  return { outbox, store, sent, register, item };
}

describe('one outbox for several kinds of work', () => {
  let tabs: FakeTabs;
  beforeEach(() => {
    fakeTime();
    globalThis.indexedDB = new IDBFactory();
    tabs = createFakeTabs();
  });
  afterEach(() => void vi.useRealTimers());

  it('CEN-2 each kind sees and sends its own; the count is of both', async () => {
    const { outbox, sent, register, item } = await openShared(tabs);
    let isRefused = true;
    const notes = register('note');
    const reports = register('report', () => isRefused);
    await outbox.open();
    await reports.add(item('r1', 'census'));
    await until(() => reports.get()[0]?.state === 'failed');
    await notes.add(item('n1'));
    await until(() => sent.includes('note n1') && notes.get().length === 0);
    expect(reports.get()).toMatchObject([{ reason: 'report refused.', refusal: { status: 409, code: 'conflict' } }]);
    expect(reports.get()[0]?.refusal?.findings).toEqual([{ code: 'LOCKED', field: null, message: 'Too late.' }]);
    expect(outbox.count.get()).toMatchObject({ waiting: 0, failed: 1, kinds: ['report'], isDurable: true });
    isRefused = false;
    await reports.retry('r1');
    await until(() => outbox.count.get().failed === 0 && sent.includes('report r1'));
  });

  it('CEN-2 why something was refused is still known after a reload', async () => {
    const first = await openShared(tabs);
    const reports = first.register('report', () => true);
    await first.outbox.open();
    await reports.add(first.item('r1'));
    await until(async () => (await first.store.outbox()).some(({ content }) => Object(content).isFailed));
    first.outbox.stop();
    const second = await openShared(tabs);
    const again = second.register('report', () => true);
    await second.outbox.open();
    expect(again.get()).toMatchObject([{ state: 'failed', refusal: { status: 409 } }]);
  });

  it('CEN-2 work of a kind that nobody sends yet waits for it', async () => {
    const first = await openShared(tabs);
    const reports = first.outbox.of<string, string>('report', {
      send: () => Promise.reject(transportError('network', 'offline')),
      deliver: () => [],
      describeFailure: () => '',
    });
    await first.outbox.open();
    await reports.add(first.item('r1'));
    first.outbox.stop();
    const second = await openShared(tabs);
    await second.outbox.open();
    await vi.advanceTimersByTimeAsync(1000);
    expect(second.outbox.count.get()).toMatchObject({ waiting: 1, failed: 0, kinds: ['report'] });
    second.register('report');
    second.outbox.flush();
    await until(() => second.sent.includes('report r1'));
  });

  it('CEN-2 lists all that waits in one order, each in the words of its kind; what was refused is tried again or discarded', async () => {
    const { outbox, sent, register, item } = await openShared(tabs);
    let isRefused = true;
    const reports = register('report', () => isRefused);
    await outbox.open();
    await reports.add(item('r1'));
    await reports.add(item('r2', 'l2'));
    await until(() => outbox.entries().every(({ state }) => state === 'failed'));
    expect(outbox.entries().map(({ clientId, reason, text }) => [clientId, reason, text?.title])).toEqual([
      ['r1', 'report refused.', 'report r1'],
      ['r2', 'report refused.', 'report r2'],
    ]);
    isRefused = false;
    await outbox.discard('r1');
    await outbox.retry('r2');
    await until(() => outbox.entries().length === 0);
    expect(sent).toEqual(['report r2']);
  });

  it('CHAT-3 what was kept before there were kinds is of the first kind', async () => {
    const first = await openShared(tabs);
    const { order: _none, ...row } = { order: 0, userId: 'u1', ...first.item('old') };
    await first.store.addOutbox({ ...row, content: { payload: 'old', attempts: 0, isFailed: false, reason: null } });
    const notes = first.register('note');
    await first.outbox.open();
    await until(() => first.sent.includes('note old') && notes.get().length === 0);
  });

  it('A33 drains every kind before a sign-out, and says when something stays', async () => {
    const { outbox, register, item } = await openShared(tabs);
    let isRefused = true;
    const reports = register('report', () => isRefused);
    await outbox.open();
    await reports.add(item('r1'));
    await until(() => reports.get()[0]?.state === 'failed');
    const left = outbox.drain(2000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await left).toBe(false);
    isRefused = false;
    await reports.retry('r1');
    await until(() => outbox.count.get().failed === 0);
    expect(await outbox.drain(2000)).toBe(true);
  });
});
