/** The push services of the browsers there are: Chrome and Edge, Firefox, Safari. */
const WELL_KNOWN = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** One host of each that always has the same name, to see whether they can be reached. */
export const REACHED_PUSH_HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];

/** Whether a push may be sent there: https on its own port, at a service that is known or was named by the operator. */
export function isPushEndpoint(endpoint: string, named: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, port, username, password, hostname, href } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '' || href !== endpoint) return false;
  return [...WELL_KNOWN, ...named].some((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}
