/** `npm run nightly` runs all journeys; `npm test` leaves out those with this tag, for which another one stands. */
export const isNightly = process.env['WARDLINE_NIGHTLY'] === '1';

export const NIGHTLY = '@nightly';

/** The details of a test that `npm test` runs in this case only. */
export function nightlyUnless(isRepresentative: boolean): { readonly tag: string[] } {
  return { tag: isRepresentative ? [] : [NIGHTLY] };
}
