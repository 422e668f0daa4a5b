import { expect, type Page, test } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { openBrowser } from '../support/browser-person.ts';
import { nightlyUnless } from '../support/nightly.ts';
import { type ServedGallery, serveGallery } from '../support/serve-gallery.ts';

test.describe.configure({ timeout: 300_000 });

let gallery: ServedGallery;
test.beforeAll(async () => {
  gallery = await serveGallery();
});
test.afterAll(() => gallery.stop());

const LOOKS = [
  { mode: 'light', width: 1440 },
  { mode: 'dark', width: 1440 },
  { mode: 'light', width: 320 },
  { mode: 'dark', width: 320 },
] as const;

for (const { mode, width } of LOOKS) {
  test(
    `UI-1 SHELL-8 axe finds nothing in the gallery and nothing scrolls sideways: ${mode}, ${width} px`,
    nightlyUnless(mode === 'dark' && width === 320),
    async ({ browser }) => {
      const visitor = await openBrowser(browser, gallery.baseUrl);
      const page = visitor.page();
      await page.setViewportSize({ width, height: 900 });
      const found: Record<string, string[]> = {};
      await open(page, `/?mode=${mode}`);
      const alone = await page
        .locator('.g-name > a')
        .evaluateAll((links) => links.map((link) => `/${link.getAttribute('href')}`));
      expect(alone.length).toBeGreaterThan(5);
      for (const path of [`/?mode=${mode}`, ...alone]) {
        await open(page, path);
        found[path] = [...(await axeViolations(page)).filter(isNotAFloatingMenu), ...(await sidewaysScroll(page))];
      }
      expect(Object.values(found).flat(), JSON.stringify(found, null, 2)).toEqual([]);
      // A specimen shows what stands in for a picture that does not load.
      expect(visitor.complaints().filter((line) => !line.endsWith('/missing.webp'))).toEqual([]);
      await visitor.context.close();
    },
  );
}

test('MODE-3 the working shade of every colour is 500 in light and 400 in dark', async ({ page }) => {
  const roles = ['primary', 'secondary', 'success', 'info', 'warning', 'error', 'neutral'];
  for (const [mode, shade] of [
    ['light', 500],
    ['dark', 400],
  ] as const) {
    await page.goto(`${gallery.baseUrl}/?mode=${mode}`);
    const shades = await page.evaluate(
      ([names, number]) => {
        const styles = getComputedStyle(document.documentElement);
        return names.map((name) => [
          styles.getPropertyValue(`--ui-${name}`),
          styles.getPropertyValue(`--${name}-${number}`),
        ]);
      },
      [roles, shade] as const,
    );
    for (const [working, named] of shades) {
      expect(working).toMatch(/^#[\da-f]{6}$/);
      expect(working).toBe(named);
    }
    expect(shades[0]?.[0]).toBe(mode === 'light' ? '#8e51ff' : '#a684ff');
  }
});

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`OVERLAY-1 a dialog leaves, tells so once and gives the focus back: motion ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await page.goto(`${gallery.baseUrl}/?only=dialogs-1`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Left 1 times')).toBeVisible();
    await expect(page.locator('.dialog-layer')).toHaveCount(0);
    await page.getByRole('button', { name: 'Reopen Wed 18 Nov' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Left 2 times')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reopen Wed 18 Nov' })).toBeFocused();
  });
}

test('TIP-1 the pointer reaches the tooltip, which stands beside its control inside the window', async ({ page }) => {
  await page.goto(`${gallery.baseUrl}/?only=menus-2`);
  const control = page.getByRole('button', { name: 'At the right' });
  await control.hover();
  const tip = page.getByRole('tooltip');
  await expect(tip).toHaveText('Fri 20 Nov 2026, 00:35:12');
  const [beside, place] = [await control.boundingBox(), await tip.boundingBox()];
  expect(place?.x).toBeGreaterThan((beside?.x ?? 0) + (beside?.width ?? 0));
  await tip.hover();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
});

test('TOAST-1 on the phone the toasts stay clear of the bottom bar, a swipe throws one out, F8 and Escape take one', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${gallery.baseUrl}/?only=toasts-1`);
  const toasts = page.locator('.toast');
  await expect(toasts).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toHaveCount(1);
  // The first one comes in from 16 px further down.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const last = await toasts.last().boundingBox();
  const bar = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) - 16);
  expect(last?.width).toBe(390 - 32);

  const from = { x: (last?.x ?? 0) + 60, y: (last?.y ?? 0) + 20 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y, { steps: 5 });
  await page.mouse.up();
  await expect(toasts).toHaveCount(2);

  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await expect(toasts.last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toasts).toHaveCount(1);
  await expect(toasts.getByText('Leila Haddad')).toBeVisible();
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.fonts.status === 'loaded');
}

async function sidewaysScroll(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return tooWide > 0 ? [`${tooWide} px too wide`] : [];
}

/** An open menu is a child of the body and in no landmark: it belongs to the button that opened it. */
function isNotAFloatingMenu(violation: string): boolean {
  return !(violation.startsWith('region ') && violation.includes('.menu-'));
}
