import { expect, it } from 'vitest';
import { formatOnCallAs } from './names.ts';

it.each([
  ['Cardiologist', 'on call as Cardiologist'],
  ['Medical registrar on call', 'on call as Medical registrar'],
  ['Surgeon (on call)', 'on call as Surgeon'],
  ['Pharmacist, on-call', 'on call as Pharmacist'],
  ['On-call pharmacist', 'on call as pharmacist'],
  ['Person on callback', 'on call as Person on callback'],
  ['On call', 'on call'],
])('CHAT-18 who holds the role “%s” is said to be on call once', (role, text) => {
  expect(formatOnCallAs(role)).toBe(text);
});
