/* Draws the PNG icons from the two SVG marks with Chromium: node apps/web/tools/draw-icons.mjs */
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const folder = new URL('../public/icons/', import.meta.url);
const icons = [
  { from: 'logo.svg', to: 'icon-192.png', size: 192 },
  { from: 'logo.svg', to: 'icon-512.png', size: 512 },
  { from: 'logo-maskable.svg', to: 'maskable-512.png', size: 512 },
  { from: 'logo-maskable.svg', to: 'touch-180.png', size: 180 },
];

const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage();
  for (const { from, to, size } of icons) {
    const svg = await readFile(new URL(from, folder), 'utf8');
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
    await page.screenshot({ path: new URL(to, folder).pathname, omitBackground: true });
  }
} finally {
  await browser.close();
}
