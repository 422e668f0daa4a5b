import type { ElementHandle, Locator, Page } from '@playwright/test';

/** A state of an element, and how it is taken off. */
export interface PaintedState {
  readonly of: string;
  /** A class to remove, an attribute to remove, or `checked`. */
  readonly takeOff: { readonly class: string } | { readonly attribute: string } | 'checked' | 'focus';
}

/** Whether the element is painted otherwise without the state: two pictures of it are compared, byte by byte. */
export async function isStatePainted(locator: Locator, takeOff: PaintedState['takeOff']): Promise<boolean> {
  // Not found again by what is taken off it.
  const element = await locator.elementHandle({ timeout: 5000 });
  if (!element) throw new Error('The element is not on the page.');
  if (takeOff === 'focus') await element.focus();
  const page = locator.page();
  const shown = await picture(page, element);
  await element.evaluate((node, what) => {
    if (what === 'focus') (node as HTMLElement).blur();
    else if (what === 'checked') (node as HTMLInputElement).checked = false;
    else if ('class' in what) node.classList.remove(what.class);
    else node.removeAttribute(what.attribute);
  }, takeOff);
  return !shown.equals(await picture(page, element));
}

/** The element with the few pixels around it in which a frame or a ring would stand. */
async function picture(page: Page, element: ElementHandle<HTMLElement | SVGElement>): Promise<Buffer> {
  // Each time: what loads above moves it.
  await element.evaluate((node) => (node as Element).scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not on the page.');
  const margin = 5;
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  const x = Math.max(0, box.x - margin);
  const y = Math.max(0, box.y - margin);
  const clip = {
    x,
    y,
    width: Math.min(size.width - x, box.width + 2 * margin),
    height: Math.min(size.height - y, box.height + 2 * margin),
  };
  return await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
}
