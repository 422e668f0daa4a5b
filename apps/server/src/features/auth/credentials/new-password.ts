import { SHORTEST_PASSWORD, SHORTEST_SECOND_PASSWORD } from '@wardline/contract/values.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '#/platform/http/app-error.ts';

/** Whose password it will be. What is not known is left out. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string;
  readonly facilityNames?: readonly string[];
  /** A second factor stands beside it, which lets it be shorter (ACC-2). */
  readonly hasSecondFactor?: boolean;
}

/** Refuses (422) a new password that somebody who knows its owner, or a list of common passwords, would try. */
export type CheckNewPassword = (password: string, owner: PasswordOwner) => void;

const LEAST_SCORE = 3;
/** With a second factor: eight random characters are enough, a common word is not. */
const LEAST_SECOND_SCORE = 2;
/** Of a word that is looked for inside a password; shorter ones are in every second word. */
const LEAST_LETTERS = 4;

/**
 * Judging looks at the first 48 characters and few exchanged letters, for about 10 ms; all of 128 could hold up everybody
 * for half a second (I4).
 */
const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 48, l33tMaxSubstitutions: 10 });

/**
 * At least 15 characters alone, 8 with a second factor (ACC-2). Sentences of the place count for nothing, wherever they stand; name and address are
 * refused.
 */
export function createNewPasswordCheck(productName: string): CheckNewPassword {
  return (password, { email, name = '', facilityNames = [], hasSecondFactor = false }) => {
    const shortest = hasSecondFactor ? SHORTEST_SECOND_PASSWORD : SHORTEST_PASSWORD;
    if (password.length < shortest) {
      throw invalidField('password', `The password field must be at least ${shortest} characters.`);
    }
    const folded = fold(password);
    const own = [...wordsOf(name), fold(email.split('@')[0] ?? '')];
    if (own.some((word) => word.length >= LEAST_LETTERS && folded.includes(word))) {
      throw invalidField('password', 'This password contains your name or your email address.');
    }
    const ofPlace = [productName, ...facilityNames].flatMap(wordsOf).sort((a, b) => b.length - a.length);
    const rest = ofPlace.reduce((left, word) => left.replaceAll(word, ''), folded);
    const judged = rest === folded ? password : rest;
    if (judged === '' || judge.check(judged).score < (hasSecondFactor ? LEAST_SECOND_SCORE : LEAST_SCORE)) {
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
