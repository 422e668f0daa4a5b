import type { Plugin } from 'vite';

const MODULE = '\0plain-icons';

/** Draws the data of an icon as `Icon` of the kit asks for it. */
export const PLAIN_ICONS = `
import { createElement } from 'react';
export default function createLucideIcon({ size: side, node }) {
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
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}`;

/**
 * Lucide's icons without its builder, 1.3 kB of every first visit: one size, one stroke and no context is all that `Icon` of the kit
 * asks for, which is the only place that draws one.
 */
export function plainIcons(): Plugin {
  return {
    name: 'wardline:plain-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/createLucideIcon.mjs') && importer?.includes('lucide-react') ? MODULE : null,
    load: (id) => (id === MODULE ? PLAIN_ICONS : null),
  };
}
