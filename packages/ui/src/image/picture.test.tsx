// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Picture } from '#/image/picture.tsx';

afterEach(cleanup);

const plan = { src: '/_img/w_640/storage/plan.png', alt: 'Plan of ward 3A', width: 640, height: 400 };

test('IMG-1 a picture offers all its sizes, keeps its place, and loads when it comes near', () => {
  render(<Picture {...plan} srcSet="/a 640w, /b 1280w" sizes="100vw" />);
  const picture = screen.getByRole('img', { name: 'Plan of ward 3A' });
  const told = ['src', 'srcset', 'sizes', 'width', 'height', 'loading'].map((name) => picture.getAttribute(name));
  expect(told).toEqual([plan.src, '/a 640w, /b 1280w', '100vw', '640', '400', 'lazy']);
});

test('IMG-1 a picture that is seen at once does not wait', () => {
  render(<Picture {...plan} isUrgent />);
  expect(screen.getByRole('img').getAttribute('loading')).toBe('eager');
});

test('SHELL-8 a picture that does not load says what it shows, until there is another one', () => {
  const { rerender } = render(<Picture {...plan} />);
  fireEvent.error(screen.getByRole('img'));
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('Plan of ward 3A')).toBeDefined();
  rerender(<Picture {...plan} src="/_img/w_640/storage/other.png" />);
  expect(screen.getByRole('img', { name: 'Plan of ward 3A' })).toBeDefined();
});
