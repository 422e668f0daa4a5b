import { expect, it } from 'vitest';
import { toPresentNames, toStoredNames } from './stored-names.ts';

const stored = {
  class: 'adult_child',
  after: { classes: ['adult_child', 'newborn'], beds: { class: 'newborn', staffed: 4 }, note: 'adult_child' },
  units: [{ class: 'adult_child', at: new Date(0) }],
  none: null,
};
const present = {
  population: 'adult_and_child',
  after: {
    populations: ['adult_and_child', 'newborn'],
    beds: { population: 'newborn', staffed: 4 },
    note: 'adult_child',
  },
  units: [{ population: 'adult_and_child', at: new Date(0) }],
  none: null,
};

it('CEN-7 what was stored is read by the names of now, and stored by its own', () => {
  expect(toPresentNames(stored)).toEqual(present);
  expect(toStoredNames(present)).toEqual(stored);
});

it('CEN-7 what has the names of now already stays as it is, and words that people wrote are no names', () => {
  expect(toPresentNames(present)).toEqual(present);
  expect(toStoredNames(stored)).toEqual(stored);
  expect(toPresentNames({ thread_chat_id: 'adult_child' })).toEqual({ discussion_chat_id: 'adult_child' });
});
