import { guestPaths } from '../src/app/router/app-paths.ts';
import type { AheadPage } from '../src/entry-prerender.tsx';
import type { RouteFiles } from './route-files.ts';

const emptyRoot = '<div id="root"></div>';
const noScript = /<noscript>.*<\/noscript>/s;
const formNeedsScript = 'This form needs JavaScript. Switch it on in this browser and load the page again.';

/** What is written beside a page and into it: client navigation takes the one, the page itself the other. */
export function payloadText({ path, payload }: AheadPage): string | null {
  return payload === undefined ? null : JSON.stringify({ path, content: payload });
}

/** Puts what stands on a page until the app has come into the client's index.html. */
export function fillShell(template: string, html: string): string {
  return replaceOnce(template, emptyRoot, `<div id="root">${html}</div>`);
}

/** Puts a rendered page, its title, its files and its payload into the client's index.html. */
export function fillPage(template: string, page: AheadPage, files: RouteFiles): string {
  const { path, title, html } = page;
  const isForGuests = guestPaths.includes(path);
  const links = [
    ...files.styles.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`),
    ...files.scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`),
  ];
  const data = payloadText(page);
  const parts: [what: string | RegExp, by: string][] = [
    [/<title>[^<]*<\/title>/, `<title>${inText(title)}</title>`],
    ['</head>', `${links.map((link) => `  ${link}\n`).join('')}  </head>`],
    [noScript, isForGuests ? `<noscript><p class="no-script">${formNeedsScript}</p></noscript>` : ''],
    [
      emptyRoot,
      `<div id="root" data-path="${path}"${isForGuests ? ' data-guests' : ''}>${html}</div>${
        data === null ? '' : `<script type="application/json" id="payload">${inScript(data)}</script>`
      }`,
    ],
  ];
  return parts.reduce((text, [what, by]) => replaceOnce(text, what, by), template);
}

/** Inside a script only the end of the script, or of a comment, could end it. */
function inScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function inText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function replaceOnce(text: string, what: string | RegExp, by: string): string {
  const found = text.replace(what, () => by);
  if (found === text && !text.includes(by)) throw new Error(`index.html has no ${what} to fill.`);
  return found;
}
