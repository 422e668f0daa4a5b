/** One element of an icon that may be drawn. */
export interface SvgNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly SvgNode[];
}

const ELEMENTS = new Set(
  'circle clipPath defs ellipse g line linearGradient mask path polygon polyline radialGradient rect stop'.split(' '),
);
const ATTRIBUTES = new Set(
  (
    'clip-path clip-rule clipPathUnits cx cy d fill fill-opacity fill-rule fr fx fy gradientTransform gradientUnits height ' +
    'href id mask maskContentUnits maskUnits mask-type offset opacity paint-order pathLength points preserveAspectRatio r ' +
    'rx ry spreadMethod stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-opacity stroke-width transform vector-effect viewBox width x x1 x2 xlink:href y y1 y2'
  ).split(' '),
);
const LONGEST_BODY = 100_000;
const DEEPEST = 16;

/** What these refer to is drawn once per use; one inside another could double the work with every level. */
const NESTING = new Set(['mask', 'clip-path']);
const NESTED = new Set(['mask', 'clipPath']);

/** The next tag: closing slash, name, attributes, self-closing slash. Nothing but white space may stand between tags. */
const TAG = /\s*<(\/?)([A-Za-z]{1,20})((?:\s+[A-Za-z][A-Za-z0-9:-]{0,30}="[^"<>&]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z][A-Za-z0-9:-]*)="([^"]*)"/g;

/**
 * The elements of an icon's body, or null for a body that holds anything but known shapes: no script, no style, no text, no
 * entity, and no address but of its own parts. Read without DOMParser, which a page with Trusted Types may not use.
 */
export function parseSvgBody(body: string): readonly SvgNode[] | null {
  if (body.length > LONGEST_BODY) return null;
  const root: SvgNode[] = [];
  const open: { readonly name: string; readonly children: SvgNode[] }[] = [{ name: '', children: root }];
  TAG.lastIndex = 0;
  let end = 0;
  for (let tag = TAG.exec(body); tag !== null; tag = TAG.exec(body)) {
    end = TAG.lastIndex;
    const [, closing, name = '', rest = '', selfClosing] = tag;
    if (closing === '/') {
      if (rest !== '' || selfClosing === '/' || open.pop()?.name !== name || open.length === 0) return null;
      continue;
    }
    const isNested = [name, ...open.map((outer) => outer.name)].some((each) => NESTED.has(each));
    const attributes = readAttributes(rest, isNested);
    if (attributes === null || !ELEMENTS.has(name)) return null;
    const children: SvgNode[] = [];
    open.at(-1)?.children.push({ name, attributes, children });
    if (selfClosing !== '/') open.push({ name, children });
    if (open.length > DEEPEST) return null;
  }
  return open.length === 1 && body.slice(end).trim() === '' ? root : null;
}

function readAttributes(text: string, isNested: boolean): Readonly<Record<string, string>> | null {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    if (!ATTRIBUTES.has(name) || Object.hasOwn(attributes, name) || !isSafeValue(name, value)) return null;
    if (isNested && NESTING.has(name)) return null;
    attributes[name] = value;
  }
  return attributes;
}

/** What points somewhere may only point to a part of the icon itself. */
function isSafeValue(name: string, value: string): boolean {
  if (name.endsWith('href')) return /^#[\w-]+$/.test(value);
  if (value.includes('\\')) return false;
  return !/url|image|src|expression|javascript/i.test(value) || /^url\(#[\w-]+\)$/.test(value);
}

/** The text of elements that were parsed: what was not understood cannot be in it. */
export function writeSvgNodes(nodes: readonly SvgNode[]): string {
  return nodes
    .map(({ name, attributes, children }) => {
      const text = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${value}"`)].join(' ');
      return children.length === 0 ? `<${text}/>` : `<${text}>${writeSvgNodes(children)}</${name}>`;
    })
    .join('');
}
