import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt, TimelineItem } from '#/features/chat/core/chat-view.ts';
import { ana, edithItems, fakeMessage, fakePending, leila, mira } from '#/testing/fake-chats.ts';
import { groupRows, type TimelineRow } from './group-rows.ts';

const grouping = { myId: ana.id, timeZone: 'UTC', firstUnreadSeq: null };
const item = (...args: Parameters<typeof fakeMessage>): TimelineItem => ({
  type: 'message',
  message: fakeMessage(...args),
  receipt: null,
});
const mine = (seq: number, receipt: Receipt): TimelineItem => ({
  type: 'message',
  message: fakeMessage(seq, ana, 30 - seq, `${seq}`),
  receipt,
});
const outline = (rows: readonly TimelineRow[]): string[] =>
  rows.map((row) => {
    if (row.kind === 'message') return `${row.message.seq}${row.isHead ? ' head' : ''}${row.isOwn ? ' own' : ''}`;
    if (row.kind === 'pending') return `pending${row.isHead ? ' head' : ''}`;
    return row.kind === 'day' ? row.day : row.kind;
  });

describe('CHAT-13 rows of a chat', () => {
  it('groups a sender within five minutes and names whom it is by once', () => {
    const rows = groupRows(
      [item(1, leila, 20, 'a'), item(2, leila, 16, 'b'), item(3, leila, 11, 'c'), item(4, mira, 11, 'd')],
      grouping,
    );
    expect(outline(rows)).toEqual(['2026-11-20', '1 head', '2', '3 head', '4 head']);
  });

  it('separates days in the zone of the facility, not of the reader', () => {
    const night = [item(1, leila, 60, '23:38'), item(2, leila, 30, '00:08')];
    expect(outline(groupRows(night, grouping))).toEqual(['2026-11-19', '1 head', '2026-11-20', '2 head']);
    expect(outline(groupRows(night, { ...grouping, timeZone: 'America/New_York' }))).toEqual([
      '2026-11-19',
      '1 head',
      '2 head',
    ]);
    expect(outline(groupRows(night, { ...grouping, timeZone: 'Asia/Kathmandu' }))).toEqual([
      '2026-11-20',
      '1 head',
      '2 head',
    ]);
  });

  it('CHAT-5 says once by whom what I wrote in a row was read, under the last that the same people read', () => {
    const read = (count: number): Receipt => ({ state: 'read', count, of: 3 });
    const sent: Receipt = { state: 'sent' };
    const rows = groupRows(
      [
        mine(1, read(2)),
        mine(2, read(2)),
        item(3, leila, 27, 'x'),
        mine(4, read(2)),
        mine(5, read(1)),
        mine(6, sent),
        mine(7, sent),
      ],
      grouping,
    );
    const receipts = rows.flatMap((row) => (row.kind === 'message' && row.isOwn ? [row.receipt] : []));
    expect(receipts).toEqual([null, read(2), read(2), read(1), null, sent]);
  });

  it('CHAT-13 a receipt in view stays whatever is loaded after it: newer ones of mine do not take it', () => {
    const old: Receipt = { state: 'read', count: 2, of: 3 };
    const held = [mine(1, old), item(2, leila, 27, 'x')];
    const first = (items: readonly TimelineItem[]) => groupRows(items, grouping).find((row) => row.kind === 'message');
    expect(first([...held, mine(3, old)])).toEqual(first(held));
  });

  it('CHAT-5 says it again where one more joined, whom the message before does not reach', () => {
    const rows = groupRows(
      [1, 2].map((of) => mine(of, { state: 'read', count: 1, of })),
      grouping,
    );
    expect(rows.flatMap((row) => (row.kind === 'message' ? [row.receipt] : []))).toEqual([
      { state: 'read', count: 1, of: 1 },
      { state: 'read', count: 1, of: 2 },
    ]);
  });

  it('puts the divider before the first unread message and begins a group there', () => {
    const rows = groupRows([item(1, leila, 3, 'a'), item(2, leila, 2, 'b')], { ...grouping, firstUnreadSeq: 2 });
    expect(outline(rows)).toEqual(['2026-11-20', '1 head', 'new', '2 head']);
  });

  it('begins a group after a gap and after a line of the system', () => {
    const gap: TimelineItem = { type: 'gap', afterSeq: 1, beforeSeq: 9 };
    const rows = groupRows(
      [item(1, leila, 3, 'a'), gap, item(9, leila, 3, 'b'), item(10, leila, 3, 'x', 'system'), item(11, leila, 3, 'c')],
      grouping,
    );
    expect(outline(rows)).toEqual(['2026-11-20', '1 head', 'gap', '9 head', 'note', '11 head']);
  });

  it('CHAT-2 keeps what is pending last, in order, and joins it to my last words', () => {
    const rows = groupRows(edithItems, grouping);
    expect(rows.slice(-3).map((row) => row.kind)).toEqual(['pending', 'pending', 'pending']);
    expect(outline(rows).slice(-3)).toEqual(['pending head', 'pending', 'pending']);
  });

  it('CHAT-2 a device whose clock is behind opens no earlier day', () => {
    const pending = { ...fakePending(1, 'waiting', 'x'), writtenAt: '2026-11-01T10:00:00Z' };
    expect(outline(groupRows([item(1, leila, 3, 'a'), { type: 'pending', pending }], grouping))).toEqual([
      '2026-11-20',
      '1 head',
      'pending head',
    ]);
  });

  it('CHAT-1 a message keeps its row when the server acknowledges it', () => {
    const message = fakeMessage(5, ana, 0, 'mine');
    const pending = { ...fakePending(1, 'sending', 'mine'), clientId: message.client_id };
    const before = groupRows([{ type: 'pending', pending }], grouping).at(-1);
    const after = groupRows([{ type: 'message', message, receipt: { state: 'sent' } }], grouping).at(-1);
    expect(after?.key).toBe(before?.key);
  });

  it('loses nothing, changes no order and gives every row a key of its own', () => {
    const sender = fc.constantFrom(ana, leila, mira);
    fc.assert(
      fc.property(fc.array(fc.tuple(sender, fc.nat(3000)), { maxLength: 40 }), fc.nat(40), (said, unread) => {
        const items = said
          .toSorted((a, b) => b[1] - a[1])
          .map(([by, minutesAgo], index) => item(index + 1, by, minutesAgo, 'x'));
        const rows = groupRows(items, { ...grouping, firstUnreadSeq: unread });
        const seqs = rows.flatMap((row) => (row.kind === 'message' ? [row.message.seq] : []));
        expect(seqs).toEqual(items.map((_, index) => index + 1));
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
      }),
    );
  });
});
