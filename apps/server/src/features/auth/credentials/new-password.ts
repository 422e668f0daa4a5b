import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '#/platform/http/app-error.ts';

/** Whose password it will be. What is not known is left out. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string;
  readonly facilityNames?: readonly string[];
}

/** Refuses (422) a new password that somebody who knows its owner, or a list of common passwords, would try. */
export type CheckNewPassword = (password: string, owner: PasswordOwner) => void;

const LEAST_SCORE = 3;
/** Of a word that is looked for inside a password; shorter ones are in every second word. */
const LEAST_LETTERS = 4;

/**
 * Judging looks at the first 48 characters and few exchanged letters, for about 10 ms; all of 128 could hold up everybody
 * for half a second (I4).
 */
const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 48, l33tMaxSubstitutions: 10 });

/**
 * The length is the contract's (ACC-2). Sentences of the place count for nothing, wherever they stand; name and address are
 * refused.
 */
export function createNewPasswordCheck(productName: string): CheckNewPassword {
  return (password, { email, name = '', facilityNames = [] }) => {
    const folded = fold(password);
    const own = [...wordsOf(name), fold(email.split('@')[0] ?? '')];
    if (own.some((word) => word.length >= LEAST_LETTERS && folded.includes(word))) {
      throw invalidField('password', 'This password contains your name or your email address.');
    }
    const ofPlace = [productName, ...facilityNames].flatMap(wordsOf).sort((a, b) => b.length - a.length);
    const rest = ofPlace.reduce((left, word) => left.replaceAll(word, ''), folded);
    const judged = rest === folded ? password : rest;
    if (judged === '' || judge.check(judged).score < LEAST_SCORE) {
      throw invalidField('password', 'This password is too easy to guess.');
    }
  };
}

/** As one would hear it: without case, accents and compatibility forms. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= LEAST_LETTERS);
}
