import { existsSync } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that `npm test` found and named in CHROMIUM_PATH, else one in a usual place. */
export function chromiumPath(): string {
  const place = process.env['CHROMIUM_PATH'] ?? USUAL_PLACES.find((usual) => existsSync(usual));
  if (place === undefined)
    throw new Error('No Chromium found. Run npm test, which installs one, or set CHROMIUM_PATH.');
  return place;
}
