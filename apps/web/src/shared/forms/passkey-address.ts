/**
 * Whether a passkey can be used where this page is: browsers want a secure page with a name, and an IP address is none. public/mode.js
 * has found it out before the first paint.
 */
export function hasPasskeyAddress(): boolean {
  return document.documentElement.dataset['passkeys'] !== 'none';
}
