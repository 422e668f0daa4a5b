import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BACK_END_ADDRESSES, isOfBackEnd } from '@wardline/contract/back-end-addresses.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { expect, it } from 'vitest';
import { nginxMap } from '#/testing/nginx-recipe.ts';

const ROOT = path.join(import.meta.dirname, '../../../..');
const ROUTES = path.join(ROOT, 'apps/web/src/routes');
const recipe = readFileSync(path.join(ROOT, 'docs/laravel.md'), 'utf8');

/** The addresses of the client's pages, from the files of its routes. */
const pages = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !path.basename(file).startsWith('__'))
  .map((file) => {
    const steps = file.replace(/\.tsx$/, '').split(/[./\\]/);
    return `/${steps.filter((step) => !step.startsWith('_') && step !== 'index' && step !== 'route').join('/')}`;
  });

it('F-L6 the list has every operation of the contract', () => {
  const missing = endpoints.filter(({ method, path: place }) => !isOfBackEnd(method, place));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it('F-L6 no page of the client is taken from it, though the API has the address of one for another method', () => {
  expect(pages).toContain('/forgot-password');
  expect(pages).toContain('/verify-email');
  expect(pages.filter((page) => isOfBackEnd('GET', page))).toEqual([]);
  expect(isOfBackEnd('POST', '/forgot-password')).toBe(true);
  expect(isOfBackEnd('GET', '/verify-email/1/2')).toBe(true);
});

it.each(['/apis', '/login/help', '/icons.css', '/', '/sign-in', '/assets/api.js'])(
  'F-L6 %s is no address of it',
  (place) => {
    expect(['GET', 'POST'].filter((method) => isOfBackEnd(method, place))).toEqual([]);
  },
);

it('F-L6 pictures and icons that the pages ask for are passed on', () => {
  const asked = [
    '/_img/w_80/photo.jpg',
    '/icons/_nuxt_icon/lucide.json',
    '/storage/avatars/x',
    '/api/user/',
    '/login/',
  ];
  expect(asked.filter((place) => !isOfBackEnd(place === '/login/' ? 'POST' : 'GET', place))).toEqual([]);
});

it('F-L6 the recipe of docs/laravel.md is made from the list', () => {
  expect(recipe).toContain(`\`\`\`nginx\n${nginxMap()}\n\nserver {`);
});

it('F-L6 the recipe splits as the list does', () => {
  const patterns = [...recipe.matchAll(/^ {2}"~(\^.*)" 1;$/gm)].map(([, pattern = '']) => new RegExp(pattern));
  const isPassedOn = (method: string, place: string) => patterns.some((pattern) => pattern.test(`${method} ${place}`));
  const places = [
    ...pages,
    ...BACK_END_ADDRESSES.flatMap(({ path: place }) => [place, `${place}/`, `${place}/x`, `${place}x`]),
  ];
  for (const place of places) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(isPassedOn(method, place), `${method} ${place}`).toBe(isOfBackEnd(method, place));
    }
  }
});
