import { expect, it } from 'vitest';
import { placeTip } from '#/tooltip/place-tip.ts';

const view = { width: 400, height: 300 };
const tip = { width: 100, height: 20 };
const middle = { x: 180, y: 140, width: 40, height: 20 };

it.each([
  ['top', { x: 150, y: 114 }],
  ['bottom', { x: 150, y: 166 }],
  ['left', { x: 74, y: 140 }],
  ['right', { x: 226, y: 140 }],
] as const)('TIP-1 with room enough a tip stands at the %s', (side, expected) => {
  expect(placeTip(middle, tip, view, side)).toEqual(expected);
});

it('TIP-1 without room a tip stands on the other side, unless there is less of it there', () => {
  expect(placeTip({ ...middle, y: 10 }, tip, view, 'top').y).toBe(36);
  expect(placeTip({ ...middle, y: 270 }, tip, view, 'bottom').y).toBe(244);
  expect(placeTip({ x: 60, y: 140, width: 330, height: 20 }, tip, view, 'left').x).toBe(8);
});

it('SHELL-8 a tip never crosses the edge of the window', () => {
  expect(placeTip({ x: 0, y: 140, width: 20, height: 20 }, tip, view, 'top').x).toBe(8);
  expect(placeTip({ x: 380, y: 140, width: 20, height: 20 }, tip, view, 'top').x).toBe(292);
});
