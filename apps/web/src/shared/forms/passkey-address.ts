/**
 * Whether a passkey can be used where this page is: browsers want a secure page with a name, and an IP address is none.
 */
export function hasPasskeyAddress({ hostname } = location, isSecure = globalThis.isSecureContext): boolean {
  return isSecure !== false && /^[^[]*[a-z]/i.test(hostname);
}
