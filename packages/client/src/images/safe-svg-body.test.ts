import { describe, expect, it } from 'vitest';
import { parseSvgBody, writeSvgNodes } from './safe-svg-body.ts';

const HEART =
  '<path fill="none" stroke="currentColor" stroke-linecap="round" stroke-width="2" d="M2 9.5a5.5 5.5 0 0 1 9.59-3.676"/>';

describe('what may be drawn', () => {
  it.each([
    ['a shape', HEART],
    [
      'a group of shapes',
      '<g fill="none" stroke="currentColor"><circle cx="12" cy="12" r="10"/><path d="m9 12l2 2l4-4"/></g>',
    ],
    [
      'a gradient of its own',
      '<defs><linearGradient id="a" x1="0" href="#b"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path fill="url(#a)" d="M0 0"/>',
    ],
    ['a mask of its own', '<mask id="m"><path fill="#fff" d="M0 0h24v24"/></mask><path mask="url(#m)" d="M1 1"/>'],
    ['nothing', ''],
  ])('A28 %s is read and written as it was', (_what, body) => {
    const nodes = parseSvgBody(body);
    expect(nodes).not.toBeNull();
    expect(writeSvgNodes(nodes ?? [])).toBe(body);
  });

  it('A28 white space between elements and an end tag of its own are no harm', () => {
    expect(parseSvgBody(' <g>\n <path d="M0 0"></path> </g> ')).toEqual([
      { name: 'g', attributes: {}, children: [{ name: 'path', attributes: { d: 'M0 0' }, children: [] }] },
    ]);
  });
});

describe('what may not', () => {
  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT/>',
    '<style>*{}</style>',
    '<foreignObject><body/></foreignObject>',
    '<image href="https://evil.example/x.png"/>',
    '<use href="#a"/>',
    '<a href="javascript:alert(1)"><path d=""/></a>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onmouseover" to="alert(1)"/>',
    '<text>words</text>',
    '<path d="M0 0" onload="alert(1)"/>',
    '<path d="M0 0" ONCLICK="alert(1)"/>',
    '<path d="M0 0" style="fill:url(https://evil.example)"/>',
    '<path d="M0 0" class="a"/>',
    '<path fill="url(https://evil.example/x.svg#a)"/>',
    '<path fill="url(&quot;//evil.example#a&quot;)"/>',
    '<path fill="u\\72l(//evil.example)"/>',
    '<path fill="image-set(//evil.example)"/>',
    '<path fill="url(#a) url(//evil.example)"/>',
    '<linearGradient href="https://evil.example/x.svg#a"/>',
    '<linearGradient xlink:href="data:image/svg+xml,x"/>',
    '<path d="M0 0" d="M1 1"/>',
    "<path d='M0 0'/>",
    '<path d=M0/>',
    '<path d="M0 0"',
    '<path d="<script>"/>',
    '<g><path d="M0 0"/>',
    '<g></path></g>',
    '</g>',
    '<g></g foo="1">',
    'words<path d="M0 0"/>',
    '<path d="M0 0"/>words',
    '<!-- <script>alert(1)</script> --><path d="M0 0"/>',
    '<![CDATA[<script>]]>',
    '<?xml version="1.0"?><path d="M0 0"/>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><path d="&a;"/>',
    '<svg:script/>',
    '<path\u0000d="M0 0"/>',
    '<mask id="a" mask="url(#b)"/>',
    '<clipPath id="a"><g clip-path="url(#b)"/></clipPath>',
  ])('A28 a body with anything else is refused whole: %s', (body) => {
    expect(parseSvgBody(body)).toBeNull();
    expect(parseSvgBody(`${HEART}${body}`)).toBeNull();
  });

  it('A28 a body of monstrous length or depth is refused', () => {
    expect(parseSvgBody(HEART.repeat(1000))).toBeNull();
    expect(parseSvgBody(`${'<g>'.repeat(15)}${HEART}${'</g>'.repeat(15)}`)).not.toBeNull();
    expect(parseSvgBody(`${'<g>'.repeat(16)}${HEART}${'</g>'.repeat(16)}`)).toBeNull();
    expect(parseSvgBody(`<path${' '.repeat(90_000)}`)).toBeNull();
  });
});
