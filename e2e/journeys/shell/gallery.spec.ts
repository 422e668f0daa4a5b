import { expect, type Page } from '@playwright/test';
import { axeViolations } from '../../support/browser/axe.ts';
import { isStatePainted, type PaintedState } from '../../support/browser/painted.ts';
import { openBrowser } from '../../support/browser-person.ts';
import { test } from '../../support/journey.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { type ServedGallery, serveGallery } from '../../support/servers/serve-gallery.ts';

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
  test(`UI-1 SHELL-8 axe finds nothing in the gallery and nothing scrolls sideways: ${mode}, ${width} px`, {
    tag: NIGHTLY,
  }, async ({ browser }) => {
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
    await visitor.context.close();
  });
}

/** Of each role Tailwind's 500 and 600, which light may be painted in, and its 400, which dark is. */
const SHADES = {
  primary: { 400: '#a684ff', 500: '#8e51ff', 600: '#7f22fe' },
  secondary: { 400: '#51a2ff', 500: '#2b7fff', 600: '#155dfc' },
  success: { 400: '#05df72', 500: '#00c950', 600: '#00a63e' },
  info: { 400: '#00bcff', 500: '#00a6f4', 600: '#0084d1' },
  warning: { 400: '#ffb900', 500: '#fe9a00', 600: '#e17100' },
  error: { 400: '#ff6467', 500: '#fb2c36', 600: '#e7000b' },
} as const;

/** 500 in light, 400 in dark; in light 600 where 500 has less than 3 : 1 on white (decision 020). */
function markShade(shades: (typeof SHADES)[keyof typeof SHADES], mode: 'light' | 'dark'): string {
  if (mode === 'dark') return rgb(shades[400]);
  return rgb(contrast(rgb(shades[500]), 'rgb(255, 255, 255)') >= 3 ? shades[500] : shades[600]);
}

for (const mode of ['light', 'dark'] as const) {
  test(`F-C4 MODE-3 bars are painted in the working shade, solid buttons in one that can be read: ${mode}`, async ({
    page,
  }) => {
    await page.goto(`${gallery.baseUrl}/?mode=${mode}`);
    const painted = await page.evaluate((names) => {
      const paint = (className: string) => {
        const bar = Object.assign(document.createElement('span'), { className });
        const fill = bar.appendChild(document.createElement('span'));
        document.body.append(bar);
        const colour = getComputedStyle(fill).backgroundColor;
        bar.remove();
        return colour;
      };
      return Object.fromEntries(names.map((name) => [name, paint(`progress progress-${name}`)]));
    }, Object.keys(SHADES));
    expect(painted).toEqual(
      Object.fromEntries(Object.entries(SHADES).map(([name, shades]) => [name, markShade(shades, mode)])),
    );
    if (mode === 'light') expect(painted['primary']).toBe(rgb(SHADES.primary[500]));
    const solid = await page.locator('.btn-solid:not(:disabled)').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { backgroundColor, color } = getComputedStyle(button);
        return { backgroundColor, color };
      }),
    );
    expect(new Set(solid.map(({ backgroundColor }) => backgroundColor)).size).toBeGreaterThan(6);
    expect(solid.filter(({ backgroundColor, color }) => contrast(backgroundColor, color) < 4.5)).toEqual([]);
    // The theme names 500; white words on it would have 4.4 : 1 (decision 020).
    expect(solid[0]?.backgroundColor).toBe(rgb(SHADES.primary[mode === 'light' ? 600 : 400]));
  });
}

test('F-C4 UI-1 what opens and moves takes 250 ms, a toast leaves in the 200 ms for which it is still there', async ({
  page,
}) => {
  await page.goto(`${gallery.baseUrl}/?mode=light`);
  const motion = await page.evaluate(() => {
    const of = (className: string, state: string | null = null) => {
      const element = Object.assign(document.createElement('div'), { className });
      if (state) element.dataset['state'] = state;
      document.body.append(element);
      const { animationDuration, animationTimingFunction } = getComputedStyle(element);
      element.remove();
      return `${animationDuration} ${animationTimingFunction}`;
    };
    return {
      dialog: of('dialog'),
      leaving: of('dialog', 'closed'),
      menu: of('menu'),
      tip: of('tip'),
      toast: of('toast'),
      gone: of('toast', 'closed'),
    };
  });
  const ease = 'cubic-bezier(0.4, 0, 0.2, 1)';
  expect(motion).toEqual({
    dialog: `0.25s ${ease}`,
    leaving: `0.25s ${ease}`,
    menu: `0.25s ${ease}`,
    tip: `0.25s ${ease}`,
    toast: `0.25s ${ease}`,
    gone: `0.2s ${ease}`,
  });
});

function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

function rgb(hex: string): string {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
}

/** Of WCAG 2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const STATES: readonly PaintedState[] = [
  { of: '.lrow.is-selected', takeOff: { class: 'is-selected' } },
  { of: '.lrow.is-urgent', takeOff: { class: 'is-urgent' } },
  { of: '.m.is-own', takeOff: { class: 'is-own' } },
  { of: '.chip[aria-pressed="true"]', takeOff: { attribute: 'aria-pressed' } },
  { of: '.seg > :has(:checked) input', takeOff: 'checked' },
  { of: '.tab[aria-selected="true"]', takeOff: { attribute: 'aria-selected' } },
  { of: '.switch:checked', takeOff: 'checked' },
  { of: '.check input[type="checkbox"]:not(.switch):checked', takeOff: 'checked' },
  { of: '.check input[type="radio"]:checked', takeOff: 'checked' },
  { of: '.dot-success', takeOff: { class: 'dot-success' } },
  { of: '.dot-error', takeOff: { class: 'dot-error' } },
  { of: '.pill:not(.pill-quiet)', takeOff: { class: 'pill' } },
  { of: '.badge:not(.badge-line)', takeOff: { class: 'badge' } },
  { of: '.btn-solid:not(:disabled)', takeOff: { class: 'btn-solid' } },
  { of: '.progress-md, .progress', takeOff: { class: 'progress' } },
  { of: '.progress > span', takeOff: { attribute: 'style' } },
  { of: '.bedbar > .occ', takeOff: { class: 'occ' } },
  { of: '.bedbar > .blk', takeOff: { class: 'blk' } },
  { of: '.bedbar > .over', takeOff: { class: 'over' } },
  { of: '.hm td.occ-2', takeOff: { class: 'occ-2' } },
  { of: '.hm td.occ-5', takeOff: { class: 'occ-5' } },
  { of: '.hm-step.occ-4', takeOff: { class: 'occ-4' } },
  { of: '.wf-bar.is-out', takeOff: { class: 'is-out' } },
  { of: '.steps > [aria-current]', takeOff: { attribute: 'aria-current' } },
];

test('F-C4 TOAST-1 toasts stand 16 px from each other', async ({ page }) => {
  await page.goto(`${gallery.baseUrl}/?only=toasts-1`);
  const toasts = page.locator('.toast');
  await expect(toasts.nth(1)).toBeVisible();
  const boxes = await toasts.evaluateAll((all) =>
    all.map((toast) => {
      const { top, bottom } = toast.getBoundingClientRect();
      return { top, bottom };
    }),
  );
  const inOrder = boxes.sort((a, b) => a.top - b.top);
  const gaps = inOrder.slice(1).map(({ top }, index) => Math.round(top - (inOrder[index]?.bottom ?? 0)));
  expect(gaps.length).toBeGreaterThan(0);
  expect(new Set(gaps)).toEqual(new Set([16]));
});

test('F-U8 SHELL-8 every state can be seen where the system chooses the colours', { tag: NIGHTLY }, async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${gallery.baseUrl}/?mode=light`);
  await expect(page.locator('.g-name').first()).toBeVisible();
  const lost: string[] = [];
  const look = async ({ of, takeOff }: PaintedState) => {
    const element = page.locator(of).locator('visible=true').first();
    if (!(await isStatePainted(element, takeOff))) lost.push(`${of} without ${JSON.stringify(takeOff)}`);
  };
  for (const state of STATES) await look(state);
  // On a page of its own: a dialog in one of the frames may take the focus as it loads.
  await page.goto(`${gallery.baseUrl}/?mode=light&only=buttons-1`);
  await look({ of: '.btn-outline:not(:disabled)', takeOff: 'focus' });
  expect(lost).toEqual([]);
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
