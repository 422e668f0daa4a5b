import { createHmac, timingSafeEqual } from 'node:crypto';

export type AppKey = { key: string; secret: string };

/** The auth string that lets one socket join one channel, as exactly the member in `channelData`. */
export function signChannel(app: AppKey, socketId: string, channel: string, channelData?: string): string {
  const text = channelData === undefined ? `${socketId}:${channel}` : `${socketId}:${channel}:${channelData}`;
  return sign(app, text);
}

/** The auth string that signs one socket in as the user in `userData`. */
export function signUser(app: AppKey, socketId: string, userData: string): string {
  return sign(app, `${socketId}::user::${userData}`);
}

export function verifyChannel(
  app: AppKey,
  auth: string,
  socketId: string,
  channel: string,
  channelData?: string,
): boolean {
  return isSame(auth, signChannel(app, socketId, channel, channelData));
}

export function verifyUser(app: AppKey, auth: string, socketId: string, userData: string): boolean {
  return isSame(auth, signUser(app, socketId, userData));
}

function sign(app: AppKey, text: string): string {
  return `${app.key}:${createHmac('sha256', app.secret).update(text).digest('hex')}`;
}

// The length of a right auth string is no secret; which of its characters are right must stay one.
export function isSame(given: string, right: string): boolean {
  const givenBytes = Buffer.from(given);
  const rightBytes = Buffer.from(right);
  return givenBytes.length === rightBytes.length && timingSafeEqual(givenBytes, rightBytes);
}
