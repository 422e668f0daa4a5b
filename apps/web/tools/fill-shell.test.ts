import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fillPage, fillShell, payloadText } from './fill-shell.ts';

const template = `<!doctype html>
<html><head><title>Wardline</title>
  </head>
  <body><div id="root"></div><noscript><p>Wardline needs JavaScript.</p></noscript></body></html>`;
const page = {
  path: '/about',
  title: 'A & B <C> - Wardline',
  html: '<h1>$& $1</h1>',
  payload: undefined,
  routeIds: [],
};
const files = { scripts: ['/assets/about.js'], styles: ['/assets/about.css'] };

describe('SHELL-2 a page that was rendered ahead', () => {
  it('SHELL-2 stands in the root under its path, with its title and its files', () => {
    const html = fillPage(template, page, files);
    expect(html).toContain('<div id="root" data-path="/about"><h1>$& $1</h1></div>');
    expect(html).toContain('<title>A &amp; B &lt;C> - Wardline</title>');
    expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/about.js">');
    expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/about.css">');
  });

  it('F-U8 is painted once the whole of it is read: half a form, centred, would move', async () => {
    const client = await readFile(new URL('../index.html', import.meta.url), 'utf8');
    const html = fillPage(client, { ...page, path: '/sign-in' }, files);
    expect(html).toContain('<link rel="expect" href="#page-end" blocking="render" />');
    expect(html.indexOf('id="page-end"')).toBeGreaterThan(html.indexOf(page.html));
  });

  it('SHELL-2 what can be read without JavaScript does not ask for it; a form for guests does', () => {
    expect(fillPage(template, page, files)).not.toContain('noscript');
    const html = fillPage(template, { ...page, path: '/sign-in' }, files);
    expect(html).toContain('This form needs JavaScript. Switch it on in this browser and load the page again.');
    expect(html).toContain('<div id="root" data-path="/sign-in" data-guests>');
  });

  it('PWA-8 carries its data, out of which nothing breaks', () => {
    const payload = { text: '</script><script>alert(1)</script><!--' };
    const html = fillPage(template, { ...page, payload }, files);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('<!--');
    const [, data = ''] = /<script type="application\/json" id="payload">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data)).toEqual({ path: '/about', content: payload });
    expect(payloadText({ ...page, payload })).toBe(JSON.stringify({ path: '/about', content: payload }));
  });

  it('SHELL-2 a template that has no place for it fails the build', () => {
    expect(() => fillPage(template.replace('id="root"', 'id="app"'), page, files)).toThrow('has no');
  });
});

it('F-U8 the shell of all other pages holds what is shown until the app has come, and is taken over by nobody', () => {
  const html = fillShell(template, '<p>$& Loading</p>');
  expect(html).toContain('<div id="root"><p>$& Loading</p></div>');
  expect(html).not.toContain('data-path');
  expect(html).toContain('Wardline needs JavaScript.');
});
