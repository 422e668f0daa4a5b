import { describe, expect, it } from 'vitest';
import { createNewPasswordCheck } from './new-password.ts';

const check = createNewPasswordCheck('Wardline');
const owner = {
  email: 'j.okonkwo-bell@hospital.test',
  name: 'José Li Müller',
  facilityNames: ['Harbour General Hospital'],
};

function verdict(password: string): string | null {
  try {
    check(password, owner);
    return null;
  } catch (error) {
    return (error as { fields: Record<string, string[]> }).fields['password']?.[0] ?? '';
  }
}

describe('a new password', () => {
  it.each([
    'violet tram over the harbour',
    'correct horse battery',
    'general relativity is fun',
    'Käse und Brötchen am See',
    'правильная лошадь батарея',
    'li and lo and la and lu went out',
    'x9$Lq2!vR7#mZ4p',
  ])('ACC-2 is taken when it is long and nobody would try it: %s', (password) => {
    expect(verdict(password)).toBeNull();
  });

  it.each([
    'passwordpassword',
    'P@ssw0rdP@ssw0rd',
    'qwertyuiop123456789',
    '123456789012345',
    'aaaaaaaaaaaaaaaaaaaa',
    'abcdefghijklmnopqrst',
    'iloveyou1iloveyou1',
    'letmeinletmeinletmein',
    'a'.repeat(128),
    'Harbour General Hospital 1',
    'wardlineWARDLINE!',
    'harbourharbourharbour',
    'WardlineHospital12',
  ])('ACC-2 is refused when it is common, or little but the names of the place: %s', (password) => {
    expect(verdict(password)).toBe('This password is too easy to guess.');
  });

  it.each([
    'tango with josé by the sea',
    'tango with JOSE by the sea',
    'tango with müller by the sea',
    'tango with muller by the sea',
    'tangoMULLERbythesea',
    'J.Okonkwo-Bell by the sea 12',
  ])('ACC-2 is refused when it holds the own name or address, however written: %s', (password) => {
    expect(verdict(password)).toBe('This password contains your name or your email address.');
  });

  it('I4 is judged by its first 48 characters, so that a long one holds up nobody', () => {
    const strong = 'violet tram over the hill at nine';
    expect(verdict(`${'a'.repeat(48)}${strong}`)).toBe('This password is too easy to guess.');
    expect(verdict(`${strong}${'a'.repeat(95)}`)).toBeNull();
  });
});
