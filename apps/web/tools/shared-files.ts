/**
 * What several pages share, in one file for each circle of pages that loads it whole. Left alone, every icon and every
 * small part that two pages use is a file of its own: a visit waits for dozens of them, and they pack worse apart.
 * A part is a path below the project's folder without its ending, or a folder; it takes with it what it imports.
 */
export const SHARED_FILES: Readonly<Record<string, readonly string[]>> = {
  // Public pages and signed-in ones.
  common: [
    'packages/ui/src/card/',
    'packages/ui/src/frame/skip-link',
    'packages/ui/src/logo/',
    'packages/ui/src/notice/banner',
    ...icons('check', 'cloud-off'),
    'node_modules/@tanstack/react-router/dist/esm/useRouterState',
  ],
  form: [
    'packages/ui/src/field/',
    ...['checkbox', 'password-input', 'text-input'].map((input) => `packages/ui/src/input/${input}`),
    ...pageParts('failure-words', 'form-trouble', 'submit-button', 'use-form', 'use-hydrated', 'use-online'),
  ],
  // Every signed-in page: its frame, and the small parts of lists.
  page: [
    ...pageParts('lazy-menu', 'lazy-part', 'overlays-context', 'page-config', 'panel-boundary', 'panel-failure'),
    ...pageParts('person-picture', 'say-part-missing', 'search-text', 'shell-actions', 'show-toast', 'use-confirm'),
    ...pageParts('use-now', 'zoned-time'),
    'apps/web/src/app/person',
    'apps/web/src/features/chat/chat-words',
    'apps/web/src/features/chat/facility-row',
    'apps/web/src/features/facilities/facilities-context',
    'apps/web/src/features/facilities/use-current-facility',
    'packages/client/src/use-observable',
    'packages/ui/src/dialog/dialog-host',
    'packages/ui/src/frame/nav-item',
    'packages/ui/src/frame/page-content',
    'packages/ui/src/frame/top-bar',
    'packages/ui/src/input/search-input',
    'packages/ui/src/list/list-row',
    'packages/ui/src/notice/empty-state',
    'packages/ui/src/notice/error-state',
    ...['badge', 'chip', 'kbd', 'pill'].map((mark) => `packages/ui/src/mark/${mark}`),
    'packages/ui/src/tooltip/',
    ...icons('arrow-down', 'chevron-down', 'chevrons-up-down', 'message-square', 'messages-square', 'plus'),
    ...icons('search', 'x'),
    'node_modules/uuid/dist/',
  ],
  // What stands between a signed-in page and what its person has on this device.
  device: [
    ...pageParts('device-context', 'realtime-context'),
    'apps/web/src/features/census/census-pages',
    'apps/web/src/features/census/register-reports',
    'packages/client/src/store/device-store',
  ],
  // The census's pages: shapes, arithmetic, words.
  census: [
    ...['balance', 'calendar', 'ratio', 'states'].map((part) => `packages/census/src/${part}`),
    ...['', '-board', '-facility', '-unit'].map((part) => `packages/contract/src/census${part}`),
    ...['ask-board', 'census-paths', 'use-census-news', 'use-units'].map(censusPart),
    ...['figure-words', 'panel', 'period', 'unit-names'].map((part) => censusPart(`parts/${part}`)),
    ...['kept-copy', 'report-outbox', 'report-place', 'report-words', 'use-reports'].map((part) =>
      censusPart(`unit/${part}`),
    ),
    ...pageParts('clock-words', 'refusal', 'use-action'),
    'packages/ui/src/input/select',
    'packages/ui/src/tabs/segments',
    ...icons('arrow-right', 'bed-double', 'bell', 'calendar-days', 'circle-exclamation-point', 'download', 'radio'),
    ...icons('timer', 'undo-2', 'upload'),
  ],
};

/** The same as groups of the bundler. The order counts: a part goes into the first file that names it. */
export const sharedFiles = [
  { name: 'entry', tags: ['$initial' as const] },
  ...Object.entries(SHARED_FILES).map(([name, parts]) => ({ name, test: isOneOf(parts) })),
];

function isOneOf(parts: readonly string[]): RegExp {
  const tests = parts.map((part) => part.replaceAll('/', '[\\\\/]') + (part.endsWith('/') ? '' : '[.][a-z]+$'));
  return new RegExp(`[\\\\/](?:${tests.join('|')})`);
}

function pageParts(...names: readonly string[]): string[] {
  return names.map((name) => `apps/web/src/page/${name}`);
}

function censusPart(name: string): string {
  return `apps/web/src/features/census/${name}`;
}

function icons(...names: readonly string[]): string[] {
  return names.map((name) => `node_modules/lucide-react/dist/esm/icons/${name}`);
}
