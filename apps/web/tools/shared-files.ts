/**
 * What several pages share, in one file for each circle of pages that loads it whole. Left alone, every icon and every
 * small part that two pages use is a file of its own: a visit waits for dozens of them, and they pack worse apart.
 * The order counts: a part goes into the first file whose test it meets, with what it imports.
 */
export const sharedFiles = [
  { name: 'entry', tags: ['$initial' as const] },
  {
    // Public pages and signed-in ones.
    name: 'common',
    test: anyOf([
      /packages\/ui\/src\/(card|frame\/skip-link|logo|notice\/banner)/,
      /icons\/(check|cloud-off)[.]|useRouterState/,
    ]),
  },
  {
    name: 'form',
    test: anyOf([
      /packages\/ui\/src\/(field|input\/(text|password|checkbox))/,
      /web\/src\/page\/(use-(form|online|hydrated)|form-trouble|failure|submit)/,
    ]),
  },
  {
    // Every signed-in page: its frame, and the small parts of lists.
    name: 'page',
    test: anyOf([
      /web\/src\/page\/(lazy|panel-[bf]|overlays|page-config|person-picture|search-text|shell-actions|zoned-time)/,
      /web\/src\/page\/(say-part|show-toast|use-confirm)/,
      /web\/src\/(app\/person|features\/(facilities\/|chat\/(chat-words|facility-row|use-now)))/,
      /packages\/ui\/src\/(dialog\/dialog-host|frame\/(nav-item|top-bar)|input\/search-input|tooltip\/)/,
      /packages\/ui\/src\/(list\/list-row|mark\/(badge|chip|kbd|pill))/,
      /client\/src\/use-observable|uuid\/dist/,
      /icons\/(arrow-down|chevron-down|chevrons-up-down|message-square|messages-square|plus|search|x)[.]/,
    ]),
  },
  {
    // What stands between a signed-in page and what its person has on this device.
    name: 'device',
    test: anyOf([
      /web\/src\/(page\/(device|realtime)-context|features\/census\/(census-pages|register))/,
      /client\/src\/store\/device-store/,
    ]),
  },
  {
    // The census's pages: shapes, arithmetic, words.
    name: 'census',
    test: anyOf([
      /packages\/(census\/src\/(balance|calendar|ratio|states)|contract\/src\/census(-board|-facility|-unit)?)[.]/,
      /features\/census\/(ask-board|board\/panel|census-paths|use-census-news|use-units)[.]/,
      /features\/census\/(summary\/(figure-words|period|unit-names|use-now))[.]/,
      /features\/census\/unit\/(kept-copy|report-outbox|report-place|report-words|use-reports)[.]/,
      /web\/src\/page\/(clock-words|refusal|use-action)|packages\/ui\/src\/(input\/select|tabs\/segments)/,
      /icons\/(arrow-right|bed-double|bell|calendar-days|circle-exclamation-point)[.]/,
      /icons\/(download|radio|timer|undo-2|upload)[.]/,
    ]),
  },
];

function anyOf(tests: readonly RegExp[]): RegExp {
  return new RegExp(tests.map(({ source }) => source).join('|'));
}
