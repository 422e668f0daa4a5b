const ELEMENTS = new Set(
  'g path circle ellipse rect line polyline polygon defs clipPath mask linearGradient radialGradient stop use'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  `id d cx cy r rx ry x y x1 y1 x2 y2 fx fy fr width height points transform offset href pathLength
  fill fill-opacity fill-rule clip-rule clip-path clipPathUnits mask maskUnits maskContentUnits mask-type opacity
  stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset
  stroke-opacity stop-color stop-opacity gradientUnits gradientTransform spreadMethod color vector-effect
  paint-order`.split(/\s+/),
);
/** One tag at a time, or the space between two; there is no text in an icon, no comment and no entity. */
const TAG = /\s*<(?:\/([A-Za-z]{1,20})\s*|([A-Za-z]{1,20})((?:\s+[A-Za-z0-9-]{1,30}="[^"<>&]*")*)\s*(\/?))>\s*/y;
const ATTRIBUTE = /([A-Za-z0-9-]+)="([^"]*)"/g;
/** Nothing is loaded and nothing runs: a reference leads to a part of the same drawing. */
const REFERENCE = /^#[\w.-]{1,80}$/;
const REFERRING = /url\s*\(|\\/i;
const OWN_PAINT = /^url\(#[\w.-]{1,80}\)$/;
const DEEPEST = 20;

/**
 * True for the inside of an SVG that draws and does nothing else: elements and attributes of a closed list, well nested.
 * Everything that is not understood is unsafe.
 */
export function isSafeBody(body: string): boolean {
  const open: string[] = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < body.length) {
    const match = TAG.exec(body);
    if (match === null || !isExpected(match, open)) return false;
  }
  return open.length === 0 && body.trim() !== '';
}

/** Notes in `open` which elements are not closed yet. */
function isExpected([, closed, opened = '', attributes = '', isAlone]: RegExpExecArray, open: string[]): boolean {
  if (closed !== undefined) return open.pop() === closed;
  if (isAlone === '') open.push(opened);
  return ELEMENTS.has(opened) && areSafe(attributes) && open.length <= DEEPEST;
}

function areSafe(attributes: string): boolean {
  for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    if (!ATTRIBUTES.has(name)) return false;
    if (name === 'href' ? !REFERENCE.test(value) : REFERRING.test(value) && !OWN_PAINT.test(value)) return false;
  }
  return true;
}
