import { existsSync } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that `npm test` found and named in CHROMIUM_PATH, else one in a usual place. */
export function chromiumPath(): string {
  const place = process.env['CHROMIUM_PATH'] ?? USUAL_PLACES.find((usual) => existsSync(usual));
  if (place === undefined)
    throw new Error('No Chromium found. Run npm test, which installs one, or set CHROMIUM_PATH.');
  return place;
}

/** Tags a journey about what the headless shell has not: push messages, the prompt to install. */
export const WHOLE_BROWSER = '@whole-browser';

/** The headless shell that `npm test` found, for all journeys without that tag; null where all run in the whole browser. */
export function headlessShellPath(): string | null {
  return process.env['HEADLESS_SHELL_PATH'] ?? null;
}
