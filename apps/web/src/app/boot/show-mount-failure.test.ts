// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { expect, it } from 'vitest';
import { showMountFailure } from './show-mount-failure.ts';

it('SHELL-5 a page that could not start says so and offers to load again', () => {
  const root = document.createElement('div');
  root.append('half a page');
  showMountFailure(root);
  expect(root.textContent).toBe('Wardline could not start. Check the connection. Load the page again.');
  expect(root.querySelector('a')?.href).toBe(location.href);
});

it('SHELL-5 a page that was rendered ahead can still be read under the message', () => {
  const root = document.createElement('div');
  root.dataset['path'] = '/about';
  root.append('About Wardline');
  showMountFailure(root);
  expect(root.textContent).toBe('Wardline could not start. Check the connection. Load the page again.About Wardline');
});
