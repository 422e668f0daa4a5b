const exact = new Set(['/', '/403', '/sign-in', '/dashboard', '/chats', '/chat']);
const below = ['/chat/'];

/**
 * True where a navigation is answered by the app itself. Every other address is left to the server, which knows
 * its own (/api, /sanctum, /verify-email …) and answers 404 to the rest.
 */
export function isAppPath(path: string): boolean {
  return exact.has(path) || below.some((start) => path.startsWith(start));
}
