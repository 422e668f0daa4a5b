import { parseAst } from 'vitest/node';

/** Operators, each with what it is mistaken for. */
const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
};

/** Methods that can be left out of a chain. */
const LEFT_OUT = new Set(
  'sort toSorted reverse toReversed filter trim where orderBy forUpdate forShare skipLocked limit'.split(' '),
);
const SWAPPED = new Map(
  Object.entries({ some: 'every', every: 'some', min: 'max', max: 'min', find: 'findLast', findLast: 'find' }),
);

/** What can be wrong in SQL: locks, bounds, conditions, order. */
const SQL = [
  [/\bfor (?:no key update|update|key share|share)\b(?: of \w+)?(?: (?:skip locked|nowait))?/gi, () => ''],
  [/(?<=(?<!\bnow\(\))\s)(?:<=|>=|<|>)(?=\s(?!now\(\)))/g, (operator) => OPERATORS[operator]],
  // Turned round: no test meets the microsecond in which `< now()` and `<= now()` differ.
  [
    /(?<=\bnow\(\)\s)(?:<=|>=|<|>)(?=\s)|(?<=\s)(?:<=|>=|<|>)(?=\snow\(\))/g,
    (operator) => (operator[0] === '<' ? '>' : '<'),
  ],
  [/(?<=\b(?:where|and|or|on) [\w.]+ )=(?= )/gi, () => '<>'],
  [/(?<!\bbetween [^\n]{0,40})\band\b/gi, () => 'or'],
  [/\bis not null\b/gi, () => 'is null'],
  [/\bis null\b/gi, () => 'is not null'],
  [/ desc\b/gi, () => ''],
];

/**
 * Every way to break one thing in a TypeScript source: an operator, a condition, a bound, a call, a lock. Each is
 * `{start, end, text}`: what stands between the two offsets is replaced by the text.
 */
export function mutantsOf(source, { isJsx = false } = {}) {
  const found = [];
  const add = (start, end, text) => {
    if (source.slice(start, end) !== text) found.push({ start, end, text });
  };
  walk(parse(source, isJsx), (node) => BREAK[node.type]?.(node, source, add));
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** What can be broken in a node of a type. */
const BREAK = {
  BinaryExpression: breakOperator,
  LogicalExpression: breakOperator,
  AssignmentExpression: breakOperator,
  UpdateExpression({ operator, argument, prefix, start, end }, source, add) {
    const [from, to] = prefix ? [start, argument.start] : [argument.end, end];
    add(from, to, source.slice(from, to).replace(operator, OPERATORS[operator]));
  },
  UnaryExpression({ operator, argument, start, end }, source, add) {
    if (operator === '!' || operator === '-') add(start, end, `(${source.slice(argument.start, argument.end)})`);
  },
  IfStatement: breakCondition,
  ConditionalExpression: breakCondition,
  WhileStatement({ test }, _source, add) {
    add(test.start, test.end, 'false');
  },
  Literal({ value, start, end }, _source, add) {
    if (typeof value === 'boolean') add(start, end, String(!value));
    // Between brackets, so that a method can still be called on it.
    else if (typeof value === 'number') add(start, end, `(${value + 1})`);
  },
  CallExpression: breakCall,
  TaggedTemplateExpression({ tag, quasi }, source, add) {
    if (source.slice(tag.start, tag.end) !== 'sql') return;
    for (const part of quasi.quasis) breakSql(part, source, add);
  },
  ExpressionStatement: breakStatement,
};

/** What throws a plain Error holds always, so that no test comes there: a check for the compiler, or of the database's word. */
function breakCondition({ test, consequent }, _source, add) {
  const [only] = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  if (only?.type === 'ThrowStatement' && only.argument.callee?.name === 'Error') return;
  for (const text of ['true', 'false']) add(test.start, test.end, text);
}

function breakOperator({ type, operator, left, right }, source, add) {
  const other = OPERATORS[operator];
  if (other === undefined || (operator === '+' && [left, right].some(isText))) return;
  const between = source.slice(left.end, right.start);
  add(left.end, right.start, between.replace(operator, other));
  // An `a && b` of which one half is not looked at.
  if (type !== 'LogicalExpression' || operator === '??') return;
  const whole = operator === '&&' ? 'true' : 'false';
  add(left.start, left.end, whole);
  add(right.start, right.end, whole);
}

function breakCall({ start, callee, end }, _source, add) {
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const { property, object } = callee;
  const other = SWAPPED.get(property.name);
  if (other !== undefined) add(property.start, property.end, other);
  if (LEFT_OUT.has(property.name) && start === object.start) add(object.end, end, '');
}

function breakSql(quasi, source, add) {
  const text = source.slice(quasi.start, quasi.end);
  for (const [pattern, replace] of SQL) {
    for (const match of text.matchAll(pattern)) {
      const start = quasi.start + match.index;
      add(start, start + match[0].length, replace(match[0]));
    }
  }
}

/**
 * A statement that is not there; a call that nobody waits for, save in a transaction, whose one connection works off in turn what it
 * is asked. What only logs is not worth a test.
 */
function breakStatement({ start, end, expression, directive }, source, add) {
  const text = source.slice(expression.start, expression.end);
  if (directive || /^(await )?(\w+\.)*(log|console)\??\./.test(text)) return;
  if (/^(super\(|\w+\.displayName)/.test(text)) return;
  add(start, end, ';');
  if (expression.type === 'AwaitExpression' && !/\btx\b/.test(text))
    add(expression.start, expression.argument.start, 'void ');
}

const isText = (node) =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)));

/** The source with one mutant in it, or none, and with loops that end: a mutant may turn forever. */
export function applyMutant(source, mutant, options = {}) {
  const edits = mutant ? [mutant] : [];
  for (const { start, end, isBlock } of loopBodies(source, options)) {
    if (mutant && start < mutant.end && end > mutant.start && !(start <= mutant.start && mutant.end <= end)) continue;
    edits.push({ start, end: start + (isBlock ? 1 : 0), text: isBlock ? '{ $turn();' : '{ $turn(); ' });
    if (!isBlock) edits.push({ start: end, end, text: ' }' });
  }
  const text = edits.sort(byPlace).reduceRight(splice, source);
  return edits.length > (mutant ? 1 : 0) ? `${text}\n${TURN}\n` : text;
}

const byPlace = (a, b) => a.start - b.start || a.end - b.end;
const splice = (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end);

const MOST_TURNS = 30_000_000;
// A declaration, since it is needed before the file's own constants are there.
const TURN = `function $turn() {
  $turn.count = ($turn.count ?? 0) + 1;
  if ($turn.count > ${MOST_TURNS}) throw new Error('this mutant loops forever');
}`;

function loopBodies(source, { isJsx = false }) {
  const bodies = [];
  walk(parse(source, isJsx), ({ type, body }) => {
    if (!/^(For|While|DoWhile|ForOf|ForIn)Statement$/.test(type) || body.type === 'EmptyStatement') return;
    bodies.push({ start: body.start, end: body.end, isBlock: body.type === 'BlockStatement' });
  });
  return bodies;
}

/** The source whose functions say at each call, by `reached-functions.mjs`, where in which file they begin. */
export function withReports(file, source, options = {}) {
  const edits = functionBodies(source, options).flatMap(({ start, end, isBlock }) => {
    const report = `globalThis.$reached?.add('${file}:${start}')`;
    if (isBlock) return [{ start, end: start + 1, text: `{ ${report};` }];
    return [
      { start, end: start, text: `(${report}, ` },
      { start: end, end, text: ')' },
    ];
  });
  return edits.sort(byPlace).reduceRight(splice, source);
}

/** Where the innermost function begins that holds the mutant; undefined for what runs when the file is loaded. */
export function functionOf(source, mutant, options = {}) {
  return functionBodies(source, options)
    .filter(({ start, end }) => start <= mutant.start && mutant.end <= end)
    .reduce((inner, { start }) => Math.max(inner ?? start, start), undefined);
}

function functionBodies(source, { isJsx = false }) {
  const bodies = [];
  walk(parse(source, isJsx), ({ type, body }) => {
    if (!/^(ArrowFunctionExpression|FunctionDeclaration|FunctionExpression)$/.test(type) || !body) return;
    bodies.push({ start: body.start, end: body.end, isBlock: body.type === 'BlockStatement' });
  });
  return bodies;
}

const parse = (source, isJsx) => parseAst(source, { lang: isJsx ? 'tsx' : 'ts' });

/** Every node that runs: types, imports and exports of names are passed by. */
function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
    return;
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
  const wraps = /^TS(As|Satisfies|NonNull|Instantiation|TypeAssertion)/.test(node.type);
  if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !wraps)) return;
  visit(node);
  const isNamed = node.type === 'Property' || node.type === 'PropertyDefinition';
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || (key === 'key' && isNamed && !node.computed)) continue;
    if (typeof value === 'object') walk(value, visit);
  }
}
