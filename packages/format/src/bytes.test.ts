import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [1, '1 kB'],
  [422_000, '412 kB'],
  [3_250_000, '3.1 MB'],
  [25 * 1024 * 1024, '25 MB'],
  [31_600_000, '30 MB'],
  [1_950_000_000, '1.8 GB'],
  [512 * 1024 ** 3, '512 GB'],
])('CHAT-14 writes %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
