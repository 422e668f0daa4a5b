import { expect, it } from 'vitest';
import { readMember, readUser } from './presence.ts';

it.each([
  ['{"id":"7","user_info":{"name":"Ada"}}', { id: '7', info: { name: 'Ada' } }],
  ['{"id":"7"}', { id: '7', info: {} }],
  // pusher-js takes text alone here, though a presence channel takes a number too.
  ['{"id":7}', null],
  ['{"id":""}', null],
  ['{"user_info":{}}', null],
  ['["7"]', null],
  ['7', null],
])('RT-1 signed user data %s is of somebody whose id is text, or of nobody', (data, user) => {
  expect(readUser(data)).toEqual(user);
});

it.each([
  ['{"user_id":7}', 100, { id: '7', info: {} }],
  ['{"user_id":"7","user_info":{"a":1}}', 7, { id: '7', info: { a: 1 } }],
  ['{"user_id":"7","user_info":{"a":1}}', 6, null],
  [`{"user_id":"${'7'.repeat(201)}"}`, 100, null],
])('RT-1 signed channel data %s with at most %i bytes of info is of a member, or of nobody', (data, most, member) => {
  expect(readMember(data, most)).toEqual(member);
});
