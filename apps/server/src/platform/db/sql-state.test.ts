import { expect, test } from 'vitest';
import { databaseErrorKind, isRetryable } from './sql-state.ts';

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

test.each([
  ['a full disk', failure('could not extend file', '53100'), 'storage_full'],
  ['a text with NUL', failure('invalid byte sequence', '22021'), 'unstorable_text'],
  ['a server that shuts down', failure('terminating connection', '57P01'), 'unavailable'],
  ['a server that starts', failure('the database system is starting up', '57P03'), 'unavailable'],
  ['a statement over its time', failure('canceling statement', '57014'), 'unavailable'],
  ['nobody at the port', failure('connect ECONNREFUSED', 'ECONNREFUSED'), 'unavailable'],
  ['a connection that broke', failure('Connection terminated unexpectedly'), 'unavailable'],
  [
    'a connection that had broken',
    failure('Client has encountered a connection error and is not queryable'),
    'unavailable',
  ],
  ['a mistake of ours', failure('column does not exist', '42703'), null],
  ['something else', 'no error at all', null],
])('R7 R12 %s is told apart', (_what, thrown, error) => {
  expect(databaseErrorKind(thrown)).toBe(error);
});

test('I3 only a deadlock and a serialisation failure may be run again at once', () => {
  expect(isRetryable(failure('deadlock detected', '40P01'))).toBe(true);
  expect(isRetryable(failure('could not serialize', '40001'))).toBe(true);
  // The outcome of a commit that broke is not known: only the sender's repeat with its client_id may decide.
  expect(isRetryable(failure('Connection terminated unexpectedly'))).toBe(false);
});
