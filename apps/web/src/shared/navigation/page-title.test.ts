import { expect, it } from 'vitest';
import { titleOf } from './page-title.ts';

it('SHELL-1 the title is page and product, or the product alone', () => {
  expect(titleOf('Chats', 'Wardline')).toBe('Chats - Wardline');
  expect(titleOf(null, 'Wardline')).toBe('Wardline');
  expect(titleOf('', 'Wardline')).toBe('Wardline');
});
