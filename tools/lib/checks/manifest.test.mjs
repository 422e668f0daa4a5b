import { expect, test } from 'vitest';
import { loadedFiles, routeChunks } from './manifest.mjs';

const chunk = (name, fields = {}) => ({ file: `assets/${name}.js`, ...fields });
const manifest = {
  'index.html': chunk('index', { isEntry: true, imports: ['_react.js'], dynamicImports: ['src/routes/sign-in.tsx'] }),
  '_react.js': chunk('react'),
  '_shared.js': chunk('shared', { imports: ['_react.js'] }),
  '_never.js': chunk('never'),
  'src/routes/sign-in.tsx?tsr-split=component': chunk('sign-in', { imports: ['_shared.js'] }),
  'src/routes/_in.tsx?tsr-split=component': chunk('in'),
  'src/routes/_in/chat.f-{$facilityId}.tsx?tsr-split=component': chunk('facility'),
  'src/routes/_in/chat/f-{$facilityId}/c-{$chatId}.tsx?tsr-split=component': chunk('thread', { css: ['a.css'] }),
  'src/routes/_in/dashboard.tsx?tsr-split=component': chunk('dashboard'),
  'src/routes/_in/chat/index.tsx?tsr-split=component': chunk('chats'),
  'src/routes/_public.tsx?tsr-split=component': chunk('public'),
  'src/routes/_public/index.tsx?tsr-split=component': chunk('landing'),
};
const filesOf = (word) =>
  routeChunks(manifest, word).map(({ keys }) =>
    loadedFiles(manifest, keys)
      .map((file) => file.replace(/^assets\/|\.js$/g, ''))
      .sort(),
  );

test('PERF-4 a visit of sign-in loads the entry, its own chunk, and what both import', () => {
  expect(filesOf('sign-in')).toEqual([['index', 'react', 'shared', 'sign-in']]);
});

test('PERF-4 a visit of a chat also loads the parts of its parent routes, and of no other route', () => {
  expect(filesOf('chat')).toContainEqual(['facility', 'in', 'index', 'react', 'thread']);
});

test('PERF-4 a visit of the start page is told from other pages that are an index', () => {
  expect(filesOf('_public/index')).toEqual([['index', 'landing', 'public', 'react']]);
});

test('PERF-4 a route that is not in the manifest has no chunks, which the check refuses', () => {
  expect(routeChunks(manifest, 'census')).toEqual([]);
});
