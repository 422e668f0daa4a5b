import { parseSync, Visitor } from 'vite';

/** The classes that a style sheet has rules for. */
export function classesOfStyles(css) {
  const found = new Set();
  for (const [, prelude] of withoutTexts(css).matchAll(/([^{};]+)\{/g)) {
    if (/^\s*@/.test(prelude)) continue;
    for (const [, name] of prelude.matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)) found.add(name);
  }
  return found;
}

function withoutTexts(css) {
  return css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
}

/** Of these the ones that a rule is for wherever they stand: its whole selector is the class. */
export function classesAlone(css) {
  const found = new Set();
  for (const [, prelude] of withoutTexts(css).matchAll(/([^{};]+)\{/g))
    for (const selector of prelude.split(',')) {
      const name = /^\s*\.(-?[a-zA-Z_][\w-]*)\s*$/.exec(selector)?.[1];
      if (name) found.add(name);
    }
  return found;
}

/** The arguments of `:has()` with a part that names no element, class or attribute, or says what one is not. */
export function broadHas(css) {
  const found = [];
  for (const { index } of css.matchAll(/:has\(/g)) {
    const start = index + ':has('.length;
    let end = start;
    for (let depth = 1; depth > 0 && end < css.length; end++) depth += { '(': 1, ')': -1 }[css[end]] ?? 0;
    const argument = css.slice(start, end - 1);
    const parts = argument.split(/[\s,>+~]+/).filter((part) => part !== '');
    if (parts.some((part) => part.includes(':not(') || !/^[\w.#[]/.test(part))) found.push(argument);
  }
  return found;
}

/**
 * What a source file says that may be a class: `words` is every word of its strings, `heads` the beginnings of words that a
 * template completes (`toast-` of `toast-${color}`), and `given` the words that surely are classes, since they are a `className`
 * or stand in HTML.
 */
export function classesOfSource(file, code) {
  const words = new Set();
  const heads = new Set();
  const given = new Set();
  for (const [, text] of code.matchAll(/\bclass="([^"]*)"/g)) {
    addWords(words, text);
    addWords(given, text);
  }
  if (file.endsWith('.html')) return { words, heads, given };
  const { program } = parseSync(file, code);
  new Visitor({
    Literal: ({ value }) => typeof value === 'string' && addWords(words, value),
    TemplateLiteral: ({ quasis }) =>
      quasis.forEach(({ value, tail }) => {
        const text = value.cooked ?? '';
        addWords(words, text);
        const head = /\S+$/.exec(text)?.[0];
        if (!tail && head) heads.add(head);
      }),
    JSXAttribute: ({ name, value }) => name.name === 'className' && addGiven(given, value),
    CallExpression: (call) => call.callee.name === 'classNames' && addGiven(given, call),
  }).visit(program);
  return { words, heads, given };
}

/** Only what an expression can come to: a name that is compared or looked up is none. */
function addGiven(given, node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') addWords(given, node.value);
  if (node?.type === 'JSXExpressionContainer') addGiven(given, node.expression);
  if (node?.type === 'ConditionalExpression')
    for (const part of [node.consequent, node.alternate]) addGiven(given, part);
  if (node?.type === 'LogicalExpression') addGiven(given, node.right);
  if (node?.type === 'CallExpression' && node.callee.name === 'classNames')
    for (const part of node.arguments) addGiven(given, part);
}

function addWords(set, text) {
  for (const word of text.split(/\s+/)) if (word) set.add(word);
}
