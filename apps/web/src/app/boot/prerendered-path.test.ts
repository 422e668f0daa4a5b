// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { expect, it } from 'vitest';
import { renderedPath } from './prerendered-path.ts';

function rootWith(path?: string): HTMLElement {
  const root = document.createElement('div');
  if (path !== undefined) root.dataset['path'] = path;
  return root;
}

it.each([
  ['/about', '/about'],
  ['/about', '/about/'],
  ['/', '/'],
])('SHELL-2 a root that holds %s is taken over at %s', (path, pathname) => {
  expect(renderedPath(rootWith(path), pathname)).toBe(path);
});

it.each([
  [undefined, '/about'],
  ['/', '/dashboard'],
  ['/sign-in', '/sign-up'],
  ['/about', '//about'],
])('SHELL-2 a root that holds %s is mounted anew at %s', (path, pathname) => {
  expect(renderedPath(rootWith(path), pathname)).toBeNull();
});
