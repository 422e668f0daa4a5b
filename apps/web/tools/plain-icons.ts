import type { Plugin } from 'vite';

const MODULE = '\0plain-icons';

const ICON = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;

/** Draws an icon as `Icon` of the kit asks for it. */
export const PLAIN_ICONS = `
import { createElement } from 'react';
export default function createLucideIcon(parts, side = 24) {
  return ({ size, ...given }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 ' + side + ' ' + side,
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...given,
      },
      ...parts.map((part) => createElement(...part)),
    );
}`;

/**
 * Lucide's icons without its builder, their names and keys: 2 kB of every first visit. One size, one stroke and no context is all that
 * `Icon` of the kit asks for, which is the only place that draws one.
 */
export function plainIcons(): Plugin {
  return {
    name: 'wardline:plain-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/createLucideIcon.mjs') && importer?.includes('lucide-react') ? MODULE : null,
    load: (id) => (id === MODULE ? PLAIN_ICONS : null),
    transform: { filter: { id: ICON }, handler: (code) => ({ code: plainIcon(code), map: null }) },
  };
}

interface IconData {
  readonly size: number;
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/** The module of an icon with nothing but what it draws. An alias of one is left as it is. */
export function plainIcon(code: string): string {
  const [, data] = /const __iconData = (\{[\s\S]*?\n\});/.exec(code) ?? [];
  if (data === undefined) return code;
  const { size, node }: IconData = new Function(`return ${data}`)();
  const parts = node.map(([tag, { key: _, ...attributes }]) => [tag, attributes]);
  const given = [parts, ...(size === 24 ? [] : [size])].map((each) => JSON.stringify(each));
  return `import createLucideIcon from '../createLucideIcon.mjs';
export default /* @__PURE__ */ createLucideIcon(${given.join(', ')});`;
}
