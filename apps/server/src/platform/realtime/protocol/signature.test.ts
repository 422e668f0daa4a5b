import { describe, expect, it } from 'vitest';
import { signChannel, signUser, verifyChannel, verifyUser } from './signature.ts';

/** The examples of https://pusher.com/docs/channels/library_auth_reference/auth-signatures. */
const APP = { key: '278d425bdf160c739803', secret: '7ad3773142a6692b25b8' };
const SOCKET = '1234.1234';
const MEMBER = '{"user_id":10,"user_info":{"name":"Mr. Channels"}}';
const PRIVATE = `${APP.key}:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4`;
const PRESENCE = `${APP.key}:31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80`;
const USER = `${APP.key}:4708d583dada6a56435fb8bc611c77c359a31eebde13337c16ab43aa6de336ba`;

describe('the auth string', () => {
  it('RT-1 is the one of the published examples', () => {
    expect(signChannel(APP, SOCKET, 'private-foobar')).toBe(PRIVATE);
    expect(signChannel(APP, SOCKET, 'presence-foobar', MEMBER)).toBe(PRESENCE);
    expect(signUser(APP, SOCKET, '{"id":"12345"}')).toBe(USER);
  });

  it('RT-1 A13 holds for this key, socket, channel and member only', () => {
    expect(verifyChannel(APP, PRIVATE, SOCKET, 'private-foobar')).toBe(true);
    expect(verifyChannel(APP, PRIVATE, SOCKET, 'private-foobaz')).toBe(false);
    expect(verifyChannel(APP, PRIVATE, '1234.1235', 'private-foobar')).toBe(false);
    expect(verifyChannel({ ...APP, key: 'another' }, PRIVATE, SOCKET, 'private-foobar')).toBe(false);
    expect(verifyChannel({ ...APP, secret: 'another' }, PRIVATE, SOCKET, 'private-foobar')).toBe(false);
    expect(verifyChannel(APP, PRESENCE, SOCKET, 'presence-foobar', MEMBER)).toBe(true);
    expect(verifyChannel(APP, PRESENCE, SOCKET, 'presence-foobar', MEMBER.replace('10', '11'))).toBe(false);
    expect(verifyChannel(APP, PRESENCE, SOCKET, 'presence-foobar')).toBe(false);
    expect(verifyUser(APP, USER, SOCKET, '{"id":"12345"}')).toBe(true);
    expect(verifyUser(APP, USER, SOCKET, '{"id":"12346"}')).toBe(false);
    for (const auth of ['', PRIVATE.slice(0, -1), `${PRIVATE}0`]) {
      expect(verifyChannel(APP, auth, SOCKET, 'private-foobar')).toBe(false);
    }
  });
});
