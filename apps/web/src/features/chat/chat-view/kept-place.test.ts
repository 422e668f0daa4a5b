// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { clearDrafts } from '#/features/chat/drafts/clear-drafts.ts';
import { openDrafts } from '#/features/chat/drafts/draft-store.ts';
import { isOutdated, keepPlace, readPlace } from './kept-place.ts';

const place = { seq: 300, gapPx: -14, keptAt: 1_000_000 };

it('F-U4 the place in a chat outlives a reload, for the same person only, and is gone at sign-out', () => {
  keepPlace(openDrafts('ana'), 'chat-1', place);
  expect(readPlace(openDrafts('ana'), 'chat-1')).toEqual(place);
  expect(readPlace(openDrafts('ana'), 'chat-2')).toBeNull();
  clearDrafts();
  expect(readPlace(openDrafts('ana'), 'chat-1')).toBeNull();
  keepPlace(openDrafts('ana'), 'chat-1', place);
  expect(readPlace(openDrafts('leila'), 'chat-1')).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

it('F-U4 whoever left a chat at its end has no place in it, and what cannot be read is none', () => {
  const kept = openDrafts('ana');
  keepPlace(kept, 'chat-1', place);
  keepPlace(kept, 'chat-1', null);
  expect(readPlace(kept, 'chat-1')).toBeNull();
  kept.write('place/chat-1', 'x y z');
  expect(readPlace(kept, 'chat-1')).toBeNull();
  kept.write('place/chat-1', '');
});

it('F-U4 after a quarter of an hour what is new counts for more than the place', () => {
  expect(isOutdated(place, place.keptAt + 14 * 60_000)).toBe(false);
  expect(isOutdated(place, place.keptAt + 16 * 60_000)).toBe(true);
});
