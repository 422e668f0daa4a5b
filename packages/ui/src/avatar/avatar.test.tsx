// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { initials } from '@wardline/format/names.ts';
import { afterEach, expect, test } from 'vitest';
import { Avatar } from '#/avatar/avatar.tsx';

afterEach(cleanup);

test.each([
  ['Ana Reyes', 'AR'],
  ['Ana Maria Reyes', 'AM'],
  ['ana', 'A'],
  ['  Élodie   Øst ', 'ÉØ'],
  ['Dr. Mira Okafor', 'MO'],
  ['J. Smith', 'JS'],
  ['Dr.', 'D'],
  ['', ''],
])('UI-1: the initials of %j are %j, of up to two words', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('UI-1: an avatar falls back to initials when its picture does not load', () => {
  const { container } = render(<Avatar alt="Ana Reyes" src="/missing.webp" size={48} />);
  expect(container.textContent).toBe('');
  const picture = container.querySelector('img');
  if (!picture) throw new Error('no picture');
  fireEvent.error(picture);
  expect(container.textContent).toBe('AR');
});

test('IMG-1: an avatar offers its picture for screens of one and of two dots per pixel', () => {
  const { container } = render(<Avatar alt="Ana Reyes" src="/a.webp" srcSet="/a.webp 1x, /b.webp 2x" />);
  expect(container.querySelector('img')?.srcset).toBe('/a.webp 1x, /b.webp 2x');
});

test('SHELL-8: presence is said in words, with the name where the avatar stands alone', () => {
  render(
    <>
      <Avatar alt="Ana Reyes" presence={{ tone: 'success', label: 'on duty' }} />
      <Avatar alt="Owen Hart" presence={{ tone: 'warning', label: 'busy' }} isNamed />
    </>,
  );
  expect(screen.getByRole('img', { name: 'on duty' })).toBeDefined();
  expect(screen.getByRole('img', { name: 'Owen Hart, busy' })).toBeDefined();
});

test('UI-1: another picture is tried after one that failed, and the first one again', () => {
  const { container, rerender } = render(<Avatar alt="Ana Reyes" src="/a.webp" />);
  const picture = () => container.querySelector('img');
  const fail = () => fireEvent.error(picture() ?? document.body);
  fail();
  rerender(<Avatar alt="Ana Reyes" src="/b.webp" />);
  expect(picture()?.getAttribute('src')).toBe('/b.webp');
  rerender(<Avatar alt="Ana Reyes" src="/a.webp" />);
  expect(picture()?.getAttribute('src')).toBe('/a.webp');
});
