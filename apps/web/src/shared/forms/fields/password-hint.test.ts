import { expect, it } from 'vitest';
import { passwordHint } from './password-hint.ts';

const owner = { name: 'Dr. Zoë Lindqvist', email: 'zl.night@stbrigid.example' };

it.each([
  ['', 'At least 15 characters. Try four unrelated words.', false],
  ['12345678901234', '1 more character.', false],
  ['1234567890', '5 more characters.', false],
  ['correct horse battery', 'Long enough.', true],
  ['x'.repeat(129), 'At most 128 characters; these are 129.', false],
  ['my LINDQVIST password', 'It contains your name. Choose something else.', false],
  ['call zl.night at noon', 'It contains your email. Choose something else.', false],
  // Too short to be looked for, as on the server.
  ['zoe is a name of three', 'Long enough.', true],
])('ACC-2 what is said of the password "%s": %s', (password, text, isEnough) => {
  expect(passwordHint({ password, ...owner })).toEqual({ text, isEnough });
});

it('ACC-2 accents do not hide a name', () => {
  const hint = passwordHint({ password: 'gruesse von jurgen heute', name: 'Jürgen Voß', email: '' });
  expect(hint.text).toBe('It contains your name. Choose something else.');
});
