/**
 * The direction of imports. A rule's comment is printed with each breach: it says what to do instead.
 * tools/checks/import-rules.test.mjs plants a breach of every rule and expects it to be caught.
 */
const FEATURE = '^apps/(web|server)/src/features/([^/]+)/';
const TESTS = ['[.](test|spec)[.](ts|tsx|mjs)$', '/testing/'];

/** The only features another feature may use, and only through index.ts: { app: { from: [to, …] } }. */
const ALLOWED_FEATURE_EDGES = { server: {}, web: {} };

const allowedEdges = Object.entries(ALLOWED_FEATURE_EDGES).flatMap(([app, edges]) =>
  Object.entries(edges).map(([from, to]) => ({ app, from, to })),
);

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const forbidden = [
  rule(
    'no-cycles',
    'Two files that need each other are one thing in two places: move what both need into a third file, or hand it over as an argument. Cycles of types count, because they become real ones with the next edit.',
    {},
    { circular: true },
  ),
  rule(
    'no-unresolvable',
    'This import leads nowhere. Inside a workspace write ./file.ts or #/folder/file.ts, to another package @wardline/<package>/<file>.ts, always with the ending; a package from npm must be in the package.json of its user.',
    {},
    // The address of a file in a package: the build resolves it, or fails.
    { couldNotResolve: true, pathNot: '[?]url$' },
  ),
  rule(
    'no-undeclared-packages',
    'This npm package is not in the package.json of the workspace that imports it; it only happens to be installed. Declare it there, with a line in docs/decisions.',
    { path: '^(apps|packages)/', pathNot: TESTS },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  rule(
    'contract-is-a-leaf',
    'The contract is what is said on the wire and stands on nothing of ours. Move the needed piece into packages/contract, or keep this code with the side that uses it.',
    { path: '^packages/contract/' },
    { path: '^(packages/(?!contract/)|apps/)' },
  ),
  rule(
    'contract-needs-only-zod',
    'Both sides and strangers load the contract: zod is its only dependency, and nothing of Node.',
    { path: '^packages/contract/', pathNot: TESTS },
    {
      dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown', 'core'],
      pathNot: 'node_modules/zod/',
    },
  ),
  rule(
    'format-stands-on-nothing',
    'How dates, times and numbers are written is the same on the device, on the server and in the looks: values in, text out. What it needs to know of a facility is handed over as an argument.',
    { path: '^packages/format/', pathNot: TESTS },
    { path: ['^packages/(?!format/)', '^apps/', 'node_modules/'] },
  ),
  rule(
    'census-is-pure',
    'The arithmetic and rules of the census run on the device, on the server and in tests alike: values in, values out. It may use the words of the contract and of the formats, and nothing else.',
    { path: '^packages/census/', pathNot: TESTS },
    { path: ['^packages/(?!census/|contract/|format/)', '^apps/', 'node_modules/'] },
  ),
  rule(
    'examination-is-pure',
    'States, ranges and scores of examinations are the same on the device, on the server and in tests: values in, values out. They may use the words of the contract, and nothing else.',
    { path: '^packages/examination/', pathNot: TESTS },
    { path: ['^packages/(?!examination/|contract/)', '^apps/', 'node_modules/'] },
  ),
  rule(
    'ui-is-a-leaf',
    'The looks know no data: hand values and callbacks to the component as props. Packages from npm and the formats are fine.',
    { path: '^packages/ui/' },
    { path: '^(packages/(?!ui/|format/)|apps/)' },
  ),
  rule(
    'client-never-imports-apps',
    'The browser platform knows no app and no feature: let the app hand in what differs (a handler, an option).',
    { path: '^packages/client/' },
    { path: '^apps/' },
  ),
  rule(
    'apps-are-strangers',
    'The apps meet on the wire only. What both need belongs in the contract.',
    { path: '^apps/([^/]+)/' },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  rule(
    'browser-code-uses-no-node',
    'This runs in a browser, where node: modules do not exist. Use the web platform, or move the code to the server.',
    { path: '^(apps/web/src|packages/[^/]+/src)/', pathNot: TESTS },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'features-never-import-composition',
    'The app composes features, not the other way round: export from the feature’s index.ts what the app shall plug in.',
    { path: '^apps/[^/]+/src/(features|platform)/', pathNot: TESTS },
    { path: '^apps/[^/]+/src/(app|routes)/' },
  ),
  rule(
    'platform-never-imports-features',
    'The platform knows no feature: give it an interface that features register with.',
    { path: '^apps/[^/]+/src/platform/', pathNot: TESTS },
    { path: '^apps/[^/]+/src/features/' },
  ),
  rule(
    'features-are-strangers',
    'Features do not know each other, so that one can be read, changed and removed alone. Compose them in app/ or routes/, move shared rules to the contract, or add the edge to ALLOWED_FEATURE_EDGES with a decision record.',
    {
      path: FEATURE,
      pathNot: [...TESTS, ...allowedEdges.map((edge) => `^apps/${edge.app}/src/features/${edge.from}/`)],
    },
    { path: '^apps/$1/src/features/', pathNot: '^apps/$1/src/features/$2/' },
  ),
  ...allowedEdges.map((edge) =>
    rule(
      `allowed-edges-of-${edge.app}-${edge.from}`,
      `${edge.from} may use ${edge.to.join(', ')}, only through index.ts, and no other feature.`,
      { path: `^apps/${edge.app}/src/features/${edge.from}/`, pathNot: TESTS },
      {
        path: `^apps/${edge.app}/src/features/`,
        pathNot: [
          `^apps/${edge.app}/src/features/${edge.from}/`,
          ...edge.to.map((to) => `^apps/${edge.app}/src/features/${to}/index[.]ts$`),
        ],
      },
    ),
  ),
  rule(
    'enter-features-by-index',
    'A feature has one door: import from its index.ts, and export there what is meant for others.',
    { path: '^apps/[^/]+/src/(app|routes)/', pathNot: TESTS },
    { path: '^apps/[^/]+/src/features/[^/]+/', pathNot: '^apps/[^/]+/src/features/[^/]+/index[.]tsx?$' },
  ),
  rule(
    'ask-by-our-queries',
    'TanStack Query has no provider around the app, so that a chat opens without it: ask by #/shared/queries/use-query.ts, which brings it and its client.',
    { path: '^apps/web/src/', pathNot: ['^apps/web/src/shared/queries/', ...TESTS] },
    { path: 'node_modules/@tanstack/react-query/' },
  ),
  rule(
    'topics-never-import-their-door',
    'The folders of a feature are composed by its index.ts and routes.ts and know nothing of them: move what is needed into a folder that others stand on, or hand it over as an argument.',
    { path: '^apps/server/src/features/([^/]+)/[^/]+/', pathNot: TESTS },
    { path: '^apps/server/src/features/$1/[^/]+[.]ts$' },
  ),
  rule(
    'routes-never-query',
    'A routes.ts binds each endpoint to its verb in one line; the verb asks the database.',
    { path: '^apps/server/src/features/.*/routes[.]ts$' },
    { path: ['/queries[.]ts$', '-queries[.]ts$', '^apps/server/src/platform/db/'] },
  ),
  rule(
    'source-never-imports-tests',
    'Production code must work without its tests: move what it needs out of the test. The demo hospital is built from the tests’ factories, so that both stay true.',
    { path: '^(apps|packages)/', pathNot: [TESTS, '^apps/server/seeds/'].flat() },
    { path: TESTS },
  ),
  rule(
    'no-orphans',
    'Nothing imports this file and it imports nothing: delete it, or connect it.',
    {
      orphan: true,
      path: '^(apps|packages)/[^/]+/src/',
      pathNot: [
        ...TESTS,
        '[.]d[.]ts$',
        '/main[.]tsx?$',
        '[.]gen[.]ts$',
        '/src/sw[.]ts$',
        '^packages/[^/]+/src/[^/]+[.]ts$',
      ],
    },
    {},
  ),
];

module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|[.]css|[.]svg|^virtual:' },
    // Workspaces are links in node_modules; their real path is what the rules name.
    preserveSymlinks: false,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'browser', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
