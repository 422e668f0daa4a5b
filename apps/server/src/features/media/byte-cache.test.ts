import { expect, it } from 'vitest';
import { ByteCache } from './byte-cache.ts';

const of = (length: number) => ({ bytes: Buffer.alloc(length) });

it('IMG-1 A27 what is remembered never takes more than its room, and the longest unused goes first', () => {
  const cache = new ByteCache<{ bytes: Buffer }>(100);
  cache.set('a', of(40));
  cache.set('b', of(40));
  expect(cache.get('a')).toBeDefined();
  cache.set('c', of(40));
  expect(['a', 'b', 'c'].filter((key) => cache.get(key))).toEqual(['a', 'c']);
  cache.set('c', of(10));
  cache.set('d', of(50));
  expect(['a', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
  cache.set('huge', of(101));
  expect(['a', 'c', 'd', 'huge'].filter((key) => cache.get(key))).toEqual([]);
  cache.set('e', of(100));
  expect(cache.get('e')).toBeDefined();
});
