import { expect, it } from 'vitest';
import { broadHas, classesAlone, classesOfSource, classesOfStyles } from './class-use.mjs';

it('finds the classes of a style sheet in every kind of rule, and none in comments, strings and values', () => {
  const css = `
    /* .retired */ @import "./other.css";
    .card:is(.is-open, .wide) > .title::after { content: ".quoted"; margin: .5em; }
    @media (max-width: 767px) { .phone { color: red; } }
  `;
  expect([...classesOfStyles(css)]).toEqual(['card', 'is-open', 'wide', 'title', 'phone']);
});

it('finds the classes that have a rule of their own, wherever they stand', () => {
  const css = `
    /* .retired { } */ .card, .row:hover, .sheet .title { color: red; }
    @media print { .phone,
      .sign { content: ".quoted"; } }
    .card.wide, b.strong { color: red; }
  `;
  expect([...classesAlone(css)]).toEqual(['card', 'phone', 'sign']);
});

it('finds each :has() that any element could answer', () => {
  const css = `
    .a:has(:checked), .b:has(> * > .c), .d:has(+ .e:not([hidden])), .f:not(:has(input:checked, :disabled)) { color: red; }
    .a:has(input:checked), .b:has(> .c .d), .c:has([data-state="open"], #root) + .e:not(.f) { color: red; }
  `;
  expect(broadHas(css)).toEqual([':checked', '> * > .c', '+ .e:not([hidden])', 'input:checked, :disabled']);
});

it('tells what surely is a class from what a string may only name', () => {
  const code = `
    const size = 'lg';
    const toast = \`toast toast-\${colour} is-\${kind}\`;
    export const Row = ({ kind, isOpen }) => (
      <p className={classNames('row', isOpen && 'is-open', kind === 'day' ? 'of-day' : 'of-night')} title="no class">
        Don't <b className="strong wide">mind</b>
      </p>
    );
  `;
  const { words, heads, given } = classesOfSource('row.tsx', code);
  expect([...given].sort()).toEqual(['is-open', 'of-day', 'of-night', 'row', 'strong', 'wide']);
  expect([...words]).toEqual(expect.arrayContaining(['lg', 'toast', 'day', 'no', 'class']));
  expect([...heads]).toEqual(['toast-', 'is-']);
});

it('reads the classes of HTML, in a page and in a string', () => {
  expect([...classesOfSource('index.html', '<p class="no-script">').given]).toEqual(['no-script']);
  expect([...classesOfSource('fill.ts', 'const page = `<p class="no-script">`;').given]).toEqual(['no-script']);
});
