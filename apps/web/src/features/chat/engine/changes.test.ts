import { describe, expect, it } from 'vitest';
import { fakeMessage, leila } from '#/testing/fake-chats.ts';
import { CATCH_UP_PAGE } from './catch-up.ts';
import {
  applyChanges,
  asKnown,
  type ChangesEffect,
  type ChangesEvent,
  type ChangesState,
  NO_CHANGES,
  reduceChanges,
} from './changes.ts';

const changed = (seq: number, change_seq: number) => ({ ...fakeMessage(seq, leila, 1, `${seq}`), change_seq });
const plain = (seq: number) => fakeMessage(seq, leila, 1, `${seq}`);

/** A device that holds what stood after the 3rd change; each fetch waits until the test answers it. */
function atThree() {
  const asked: number[] = [];
  let state: ChangesState = NO_CHANGES;
  const run = ({ place }: ChangesEffect) => void asked.push(place.changed_after ?? -1);
  const dispatch = (event: ChangesEvent): void => {
    const step = reduceChanges(state, event);
    state = step.state;
    step.effects.forEach(run);
  };
  dispatch({ type: 'begin', cursor: 3 });
  const answer = (head_change_seq: number, ...data: ReturnType<typeof changed>[]): void =>
    dispatch({ type: 'page', page: { data, head_seq: 9, head_change_seq } });
  return { asked, dispatch, answer, cursor: () => state.cursor };
}

describe('following the changes of a chat', () => {
  it('CHAT-4 CHAT-11 the next change needs no question, one after it asks for what lies between', () => {
    const { asked, dispatch, answer, cursor } = atThree();
    dispatch({ type: 'changed', change: 4 });
    expect([asked, cursor()]).toEqual([[], 4]);
    dispatch({ type: 'changed', change: 7 });
    dispatch({ type: 'changed', change: 8 });
    expect([asked, cursor()]).toEqual([[4], 4]);
    answer(8, changed(2, 6), changed(1, 8));
    expect([asked, cursor()]).toEqual([[4], 8]);
  });

  it('CHAT-4 CHAT-11 what is told while a question is under way is asked for after it, once', () => {
    const { asked, dispatch, answer, cursor } = atThree();
    dispatch({ type: 'told', head: 5 });
    dispatch({ type: 'told', head: 9 });
    answer(5, changed(1, 5));
    expect([asked, cursor()]).toEqual([[3, 5], 5]);
    answer(9, changed(1, 9));
    expect([asked, cursor()]).toEqual([[3, 5], 9]);
  });

  it('CHAT-4 CHAT-11 a full page goes on where it ended, and a change newer than the count is taken with it', () => {
    const { asked, dispatch, answer, cursor } = atThree();
    dispatch({ type: 'told', head: 400 });
    answer(400, ...Array.from({ length: CATCH_UP_PAGE }, (_, n) => changed(n + 1, n + 4)));
    expect([asked, cursor()]).toEqual([[3, 203], 203]);
    answer(400, changed(9, 401));
    expect([asked, cursor()]).toEqual([[3, 203], 401]);
  });

  it('CHAT-4 CHAT-11 a server that does not give what it told is not asked for ever, and a failure asks no more by itself', () => {
    const { asked, dispatch, answer, cursor } = atThree();
    dispatch({ type: 'told', head: 8 });
    answer(3);
    expect([asked, cursor()]).toEqual([[3], 3]);
    dispatch({ type: 'told', head: 8 });
    dispatch({ type: 'fail' });
    expect(asked).toEqual([3, 3]);
    dispatch({ type: 'told', head: 8 });
    expect(asked).toEqual([3, 3, 3]);
  });

  it('CHAT-4 a server that knows of no changes is never asked for any', () => {
    const { asked, dispatch } = atThree();
    dispatch({ type: 'told', head: 0 });
    expect(asked).toEqual([]);
  });
});

describe('changed messages', () => {
  it('CHAT-11 take the place of those that are held; others are not shown beside a gap, and win over a page read before', () => {
    const held = [plain(4), changed(5, 2)];
    const { messages, unheld } = applyChanges(NO_CHANGES, held, [changed(4, 3), changed(5, 1), changed(1, 4)]);
    expect(messages).toEqual([changed(4, 3), changed(5, 2)]);
    const state = { ...NO_CHANGES, unheld };
    expect(asKnown(state, [plain(1), plain(2)])).toEqual([changed(1, 4), plain(2)]);
    expect(asKnown(state, [changed(1, 5)])).toEqual([changed(1, 5)]);
  });
});
