import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Page, test } from '@playwright/test';
import { signIn } from '../support/browser-person.ts';
import { demoPages, openAndSettle } from '../support/demo-pages.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { startWardline, type WardlineProcess } from '../support/servers/wardline-process.ts';

const FOLDER = path.join(import.meta.dirname, '../../apps/web/public/screenshots');
const NURSE = 'nurse@demo.test';
const LOOKS = [
  { name: 'wide', phone: false, viewport: { width: 1280, height: 800 } },
  { name: 'narrow', phone: true, viewport: { width: 390, height: 844 } },
] as const;

let wardline: WardlineProcess;
test.beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

for (const { name, phone, viewport } of LOOKS) {
  test(`the picture for the installation, ${name}`, async ({ browser }) => {
    const person = await signIn(browser, wardline.baseUrl, NURSE, { phone });
    const page = person.page();
    await page.setViewportSize(viewport);
    const pages = await demoPages(await signInOverHttp(wardline.baseUrl, NURSE));
    await openAndSettle(page, pages.find((each) => each.name === 'case')?.path ?? '/chats');
    await page.getByRole('article').last().waitFor();
    // The mark of a connection that is being made is gone by then.
    await page.waitForTimeout(1000);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const picture = await page.screenshot();
    await writeFile(path.join(FOLDER, `${name}.webp`), await asWebp(await browser.newPage(), picture));
    await person.context.close();
  });
}

const MOST_BYTES = 60_000;
const QUALITIES = [0.8, 0.65, 0.5, 0.4, 0.3];

/** The best picture of that weight. The browser can write WebP, its driver cannot. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const addresses = await page.evaluate(
    async ({ address, qualities }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return qualities.map((quality) => canvas.toDataURL('image/webp', quality));
    },
    { address: `data:image/png;base64,${png.toString('base64')}`, qualities: QUALITIES },
  );
  await page.close();
  const pictures = addresses.map((address) => Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
  const light = pictures.find(({ length }) => length <= MOST_BYTES);
  if (light === undefined) throw new Error('No quality makes this picture light enough.');
  return light;
}
