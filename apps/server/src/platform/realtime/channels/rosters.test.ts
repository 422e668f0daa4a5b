import { beforeEach, expect, it } from 'vitest';
import { type Move, Rosters } from './rosters.ts';

const ana = { id: 'ana', info: { name: 'Ana' } };
const CHANNEL = 'presence-a';

let told: string[];
let moves: Move[];
let rosters: Rosters;

beforeEach(() => {
  told = [];
  moves = [];
  rosters = new Rosters({
    added: (_channel, { id }) => told.push(`added ${id}`),
    removed: (_channel, id) => told.push(`removed ${id}`),
    cameHere: (_channel, { id }) => told.push(`here ${id}`),
    wentFromHere: (_channel, { id }) => told.push(`gone from here ${id}`),
  });
  rosters.onMoved((move) => moves.push(move));
});

it('RT-1 OPS-5 a person is a member from their first socket anywhere to their last, and tells others of the first and last here', () => {
  rosters.begin('b');
  rosters.join(CHANNEL, ana);
  rosters.join(CHANNEL, ana);
  rosters.hear('b', { channel: CHANNEL, ...ana });
  rosters.leave(CHANNEL, 'ana');
  rosters.leave(CHANNEL, 'ana');
  expect(told).toEqual(['here ana', 'added ana', 'gone from here ana']);
  expect(moves).toEqual([
    { channel: CHANNEL, ...ana },
    { channel: CHANNEL, id: 'ana', hasLeft: true },
  ]);
  expect([rosters.presentHere(CHANNEL), rosters.size(CHANNEL), rosters.has(CHANNEL, 'ana')]).toEqual([[], 1, true]);
  rosters.hear('b', { channel: CHANNEL, id: 'ana', hasLeft: true });
  expect(told.slice(3)).toEqual(['removed ana']);
  expect(rosters.roster(CHANNEL)).toEqual({ count: 0, ids: [], hash: {} });
});

it('OPS-5 what another server tells again changes nothing, and of one that has not begun nothing is taken', () => {
  const came = { channel: CHANNEL, ...ana };
  rosters.hear('b', came);
  expect(rosters.size(CHANNEL)).toBe(0);
  rosters.begin('b');
  rosters.hear('b', came);
  rosters.hear('b', came);
  rosters.hear('b', { channel: CHANNEL, id: 'ana', hasLeft: true });
  rosters.hear('b', { channel: CHANNEL, id: 'ana', hasLeft: true });
  expect(told).toEqual(['added ana', 'removed ana']);
});

it('OPS-5 with a server its members go, but for those who are elsewhere too', () => {
  for (const server of ['b', 'c']) rosters.begin(server);
  rosters.join(CHANNEL, { id: 'mira', info: {} });
  for (const id of ['ana', 'ben', 'mira']) rosters.hear('b', { channel: CHANNEL, id, info: {} });
  rosters.hear('c', { channel: CHANNEL, id: 'ben', info: {} });
  told.length = 0;
  rosters.forget('b');
  rosters.forget('b');
  expect(told).toEqual(['removed ana']);
  expect([rosters.roster(CHANNEL).ids, rosters.knows('b'), rosters.knows('c')]).toEqual([['mira', 'ben'], false, true]);
});
