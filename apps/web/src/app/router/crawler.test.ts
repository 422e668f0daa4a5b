import { expect, it } from 'vitest';
import { isCrawler } from './crawler.ts';

it.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 (Linux) Chrome-Lighthouse', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36', false],
  ['Mozilla/5.0 (Linux; CUBOT X30) Mobile', true],
  ['Mozilla/5.0 (Linux; Android 14; Robotics) Mobile', false],
])('SHELL-4 %s counts as a crawler: %s', (userAgent, is) => {
  expect(isCrawler(userAgent)).toBe(is);
});
