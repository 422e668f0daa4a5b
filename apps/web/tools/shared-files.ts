/**
 * What several pages share, in one file for each circle of pages that loads it whole. Left alone, every icon and every
 * small part that two pages use is a file of its own: a visit waits for dozens of them, and they pack worse apart.
 * A part is a path below the project's folder without its ending, or a folder; it takes with it what it imports.
 */
export const SHARED_FILES: Readonly<Record<string, readonly string[]>> = {
  // Public pages and signed-in ones.
  common: [
    'packages/format/src/names',
    'packages/ui/src/card/',
    'packages/ui/src/frame/skip-link',
    'packages/ui/src/logo/',
    'packages/ui/src/notice/banner',
    ...icons('check', 'cloud-off'),
    'node_modules/@tanstack/react-router/dist/esm/useRouterState',
  ],
  // The row of a message: in chats, and as a specimen on the public pages.
  message: [
    'packages/ui/src/avatar/avatar',
    ...['dividers', 'message-row'].map((part) => `packages/ui/src/chat/${part}`),
    ...['bed-tag', 'dot'].map((mark) => `packages/ui/src/mark/${mark}`),
    ...icons('check-check', 'clock'),
  ],
  form: [
    ...['auth-page', 'email-field', 'use-leave-when-signed-in'].map(
      (part) => `apps/web/src/features/auth/core/${part}`,
    ),
    'packages/ui/src/field/',
    ...['checkbox', 'password-input', 'text-input'].map((input) => `packages/ui/src/input/${input}`),
    ...webShared('contexts/use-online', 'errors/format-error'),
    ...webShared(
      'forms/form-errors',
      'forms/submit-button',
      'forms/use-form',
      'forms/use-hydrated',
      'forms/passkey-address',
    ),
  ],
  // Every signed-in page: its frame, and the small parts of lists.
  page: [
    ...webShared('contexts/overlays-context', 'contexts/page-config', 'contexts/shell-actions', 'contexts/show-toast'),
    ...webShared('errors/panel-boundary', 'errors/panel-failure', 'forms/search-text', 'forms/dialogs/use-confirm'),
    ...webShared('lazy/', 'pictures/person-picture', 'time/shown-format', 'time/use-now', 'time/zoned-time'),
    ...['counts', 'dates', 'facility-format', 'times', 'zone'].map((part) => `packages/format/src/${part}`),
    'apps/web/src/app/services/person',
    'apps/web/src/features/chat/core/chat-labels',
    'apps/web/src/features/chat/list/facility-row',
    'apps/web/src/features/facilities/facilities-context',
    'apps/web/src/features/facilities/use-current-facility',
    'apps/web/src/features/chat/roles/role-path',
    'apps/web/src/features/chat/urgent/urgent-parts',
    'apps/web/src/features/handovers/met-parts',
    'packages/client/src/use-observable',
    'packages/ui/src/dialog/dialog-host',
    'packages/ui/src/frame/nav-item',
    'packages/ui/src/frame/page-content',
    'packages/ui/src/frame/top-bar',
    'packages/ui/src/input/search-input',
    'packages/ui/src/list/list-row',
    'packages/ui/src/notice/empty-state',
    'packages/ui/src/notice/error-state',
    'packages/ui/src/skeleton/skeleton',
    ...['badge', 'chip', 'kbd', 'pill'].map((mark) => `packages/ui/src/mark/${mark}`),
    'packages/ui/src/tooltip/',
    ...icons('arrow-down', 'chevron-down', 'chevrons-up-down', 'message-square', 'messages-square', 'plus'),
    ...icons('search', 'x'),
    // What names people by a hash of them (sha1, v5) comes with the pages that do.
    ...['regex', 'rng', 'stringify', 'v7', 'validate'].map((part) => `node_modules/uuid/dist/${part}`),
    // The frame itself.
    'apps/web/src/app/palette/palette-host',
    'apps/web/src/app/palette/type-ahead',
    ...['nav-items', 'notices', 'overlay-stack', 'shell', 'signed-in-layout'].map(
      (part) => `apps/web/src/app/shell/${part}`,
    ),
    ...['device-provider', 'live-services'].map((part) => `apps/web/src/app/services/${part}`),
    ...['command-key', 'match-shortcut', 'single-keys'].map((part) => `apps/web/src/app/shortcuts/${part}`),
    ...['connection-labels', 'kept-unsent', 'use-unsent-list'].map((part) => `apps/web/src/app/unsent/${part}`),
    ...['overlays', 'use-overlay-stack'].map((part) => `packages/client/src/overlays/${part}`),
    'packages/client/src/realtime/lazy-realtime',
    ...['app-frame', 'bottom-bar', 'rail'].map((part) => `packages/ui/src/frame/${part}`),
    ...icons('clipboard-list', 'layout-dashboard', 'panel-left-close', 'panel-left-open', 'settings', 'users'),
    // What session, outbox and chat run on, on every one of these pages.
    'apps/web/src/features/chat/engine/',
    // Not what it says of a chat that one was put into: that comes when it happens.
    ...['chat-runtime', 'chat-runtime-provider', 'hooks'].map((part) => `apps/web/src/features/chat/runtime/${part}`),
    'packages/client/src/engine',
    'packages/client/src/outbox/',
    ...['page-state', 'tab-channel', 'when-true'].map((part) => `packages/client/src/browser/${part}`),
    'packages/contract/src/chat/chat',
    // What stands between a signed-in page and what its person has on this device.
    ...webShared('contexts/device-context', 'contexts/realtime-context'),
    'apps/web/src/features/census/core/census-pages',
    'apps/web/src/features/census/report/engine/register-reports',
    'packages/client/src/store/device-store',
  ],
  // What asks the server by TanStack Query: every page but those of chats.
  queries: [
    'apps/web/src/shared/queries/use-query',
    'node_modules/@tanstack/query-core/',
    'node_modules/@tanstack/react-query/',
  ],
  // Also the census log's.
  virtual: ['node_modules/@tanstack/virtual-core/', 'node_modules/@tanstack/react-virtual/'],
  // The open chat, and the list beside it.
  chat: [
    ...['chat-filters', 'chat-list-pane', 'chat-list-states', 'chat-row', 'filter-chats', 'virtual-list'].map(
      (part) => `apps/web/src/features/chat/list/${part}`,
    ),
    ...['new-chat', 'new-chat-button'].map((part) => `apps/web/src/features/chat/new-chat/${part}`),
    ...icons('bell-off', 'megaphone'),
    ...['chat-pane', 'chat-screen', 'chat-states', 'message-list', 'message-row'].map(inChat),
    ...['composer', 'composer-count', 'mark-selection'].map((part) => `apps/web/src/features/chat/composer/${part}`),
    'apps/web/src/features/chat/drafts/draft-store',
    'apps/web/src/features/chat/message-text/message-text',
    ...['use-chat-scroll', 'group-rows', 'use-shown', 'kept-place', 'anchor-to-messages'].map(inChat),
    'apps/web/src/features/chat/core/bed-parts',
    'apps/web/src/features/chat/core/chat-mark',
    'apps/web/src/features/chat/core/day-label',
    'apps/web/src/features/chat/core/person-link',
    'apps/web/src/features/chat/direct/direct-pane-part',
    'apps/web/src/features/chat/viewer/chat-pictures-part',
    'apps/web/src/app/shell/draw-act',
    'packages/ui/src/chat/typing-line',
    'packages/ui/src/input/growing-textarea',
    'packages/ui/src/panes/panes',
    ...icons('ellipsis', 'send-horizontal'),
  ],
  // The pages of settings.
  settings: [
    'packages/ui/src/settings/',
    ...['radio-group', 'switch'].map((input) => `packages/ui/src/input/${input}`),
    'packages/contract/src/permissions',
    ...icons('bell-ring', 'building-complex', 'copy', 'key-round', 'mail', 'user-plus'),
  ],
  // The census's pages: shapes, arithmetic, words.
  census: [
    ...['balance', 'calendar', 'ratio', 'states'].map((part) => `packages/census/src/${part}`),
    ...['clocks', 'numbers', 'periods', 'spans'].map((part) => `packages/format/src/${part}`),
    ...['board', 'census', 'facility', 'unit'].map((part) => `packages/contract/src/census/${part}`),
    ...censusParts('core', 'ask-board', 'census-paths', 'format-figure', 'kept-copy', 'panel', 'period/period'),
    ...censusParts('core', 'report-labels', 'unit-names', 'changes/use-census-changes', 'use-units'),
    ...censusParts('report/engine', 'report-outbox', 'report-unit', 'use-reports'),
    ...webShared('errors/refusal', 'forms/use-action', 'time/format-clock'),
    'apps/web/src/app/router/census-facility',
    'packages/ui/src/input/select',
    'packages/ui/src/tabs/segments',
    ...icons('arrow-right', 'bed-double', 'bell', 'calendar-days', 'circle-exclamation-point', 'download', 'radio'),
    ...icons('timer', 'undo-2', 'upload'),
  ],
  // Menus, dialogs and what else floats over a page.
  floating: ['node_modules/@floating-ui/', 'node_modules/@radix-ui/', 'packages/ui/src/dialog/dialog'],
  // What lists and forms of several pages are made of.
  lists: [
    ...webShared('forms/dialogs/file-import-dialog', 'forms/dialogs/use-confirmed-call', 'forms/dialogs/use-download'),
    ...webShared('queries/show-more', 'queries/use-pages'),
    ...['file-drop', 'textarea'].map((input) => `packages/ui/src/input/${input}`),
    ...['progress/progress', 'table/table', 'tabs/link-tabs'].map((part) => `packages/ui/src/${part}`),
    ...icons('circle-check', 'file-up', 'link-2', 'search-x', 'table-2'),
  ],
  charts: ['packages/ui/src/chart/', 'packages/ui/src/table/use-grid-keys', 'node_modules/d3-array/'],
  // Of people: who is there, on call and on duty.
  people: [
    ...['members', 'on-call', 'presence'].map((part) => `packages/contract/src/facilities/${part}`),
    ...webShared('critical/critical-labels', 'presence/', 'queries/use-members'),
    ...icons('pencil', 'phone'),
  ],
  files: ['apps/web/src/features/chat/attachments/file-icon'],
  handovers: ['apps/web/src/features/handovers/core/handover-labels'],
  // What is kept on the device, and the end of it.
  device: [
    'node_modules/idb/',
    'packages/client/src/session/copy-effects',
    ...['apply-change', 'database', 'end-device-copy', 'open-device-store'].map(
      (part) => `packages/client/src/store/${part}`,
    ),
  ],
  // What every signed-in page fetches once it stands.
  later: [
    ...['account-menu', 'called', 'facility-menu'].map((part) => `apps/web/src/app/shell/${part}`),
    'apps/web/src/app/lock/idle-lock',
    'apps/web/src/features/census/report/engine/look-after-census',
    'apps/web/src/features/chat/drafts/draft-sync',
    'apps/web/src/features/examinations/entering/send-typed',
    'apps/web/src/features/examinations/beginning/send-beginning',
    'apps/web/src/features/examinations/moving/send-move',
    'apps/web/src/shared/navigation/preload-pages',
    'packages/client/src/realtime/realtime',
  ],
  // The notices over every page.
  notices: ['apps/web/src/app/global-ui/global-ui'],
  account: ['apps/web/src/app/shell/settings-page'],
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

function inChat(name: string): string {
  return `apps/web/src/features/chat/chat-view/${name}`;
}

function webShared(...names: readonly string[]): string[] {
  return names.map((name) => `apps/web/src/shared/${name}`);
}

function censusParts(folder: string, ...names: readonly string[]): string[] {
  return names.map((name) => `apps/web/src/features/census/${folder}/${name}`);
}

function icons(...names: readonly string[]): string[] {
  return names.map((name) => `node_modules/lucide-react/dist/esm/icons/${name}`);
}
