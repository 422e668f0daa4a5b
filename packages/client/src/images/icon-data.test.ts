import type { IconifyJSON } from '@iconify/types';
import { describe, expect, it } from 'vitest';
import { iconSvg, isIconAnswer, readIcon } from './icon-data.ts';

const ARROW = '<path d="M0 0h10"/>';

const answer: IconifyJSON = {
  prefix: 'test',
  width: 24,
  height: 24,
  icons: {
    right: { body: ARROW },
    small: { body: ARROW, width: 10, height: 20 },
    moved: { body: ARROW, left: 2, top: -3 },
    evil: { body: '<script>alert(1)</script>' },
    flat: { body: ARROW, height: 0 },
  },
  aliases: {
    forward: { parent: 'right' },
    left: { parent: 'right', hFlip: true },
    again: { parent: 'left', hFlip: true },
    down: { parent: 'small', rotate: 1 },
    back: { parent: 'small', rotate: 2 },
    up: { parent: 'down', rotate: 2 },
    circle: { parent: 'circle' },
    lost: { parent: 'nobody' },
  },
};

describe('reading an icon', () => {
  it('ICON-1 an icon has its own size or its collection’s', () => {
    expect(readIcon(answer, 'right')).toEqual({ body: ARROW, width: 24, height: 24 });
    expect(readIcon(answer, 'small')).toEqual({ body: ARROW, width: 10, height: 20 });
    expect(readIcon({ icons: { right: { body: ARROW } } }, 'right')).toEqual({ body: ARROW, width: 16, height: 16 });
  });

  it('ICON-1 an alias is the icon it stands for', () => {
    expect(readIcon(answer, 'forward')).toEqual(readIcon(answer, 'right'));
  });

  it.each([
    ['left', `<g transform="translate(24 0) scale(-1 1)">${ARROW}</g>`, 24, 24],
    ['again', ARROW, 24, 24],
    ['down', `<g transform="translate(20 0) rotate(90)">${ARROW}</g>`, 20, 10],
    ['back', `<g transform="translate(10 20) rotate(180)">${ARROW}</g>`, 10, 20],
    ['up', `<g transform="translate(0 10) rotate(-90)">${ARROW}</g>`, 20, 10],
    ['moved', `<g transform="translate(-2 3)">${ARROW}</g>`, 24, 24],
  ])('ICON-1 an icon that is turned, mirrored or moved is drawn so: %s', (name, body, width, height) => {
    expect(readIcon(answer, name)).toEqual({ body, width, height });
  });

  it.each(['evil', 'flat', 'circle', 'lost', 'nobody', 'constructor', '__proto__'])(
    'A28 what cannot or may not be drawn is no icon: %s',
    (name) => {
      expect(readIcon(answer, name)).toBeNull();
      expect(readIcon({ icons: { [name]: {} } }, name)).toBeNull();
    },
  );

  it.each([null, 7, 'text', [], {}, { icons: [] }, { icons: { a: 'x' } }, { icons: {}, aliases: { a: null } }])(
    'ICON-1 an answer of another shape is no icon data: %j',
    (other) => {
      expect(isIconAnswer(other)).toBe(false);
    },
  );
});

it('ICON-1 an icon is written as a document of its size', () => {
  expect(iconSvg({ body: ARROW, width: 10, height: 20 })).toBe(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="20" viewBox="0 0 10 20">${ARROW}</svg>`,
  );
});
