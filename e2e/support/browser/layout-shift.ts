import type { Page } from '@playwright/test';

/** What moved on a page after it had been painted, as the browser scores it (Layout Instability). */
export interface LayoutShifts {
  /** The sum of all scores, those after an input left out. */
  readonly score: number;
  /** A line for each move: its score and what moved, from where to where. */
  readonly moves: readonly string[];
}

/** Notes every layout shift of the pages that this tab opens from now on. */
export async function watchLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: { score: number; move: string }[] = [];
    Object.assign(window, { layoutShifts: shifts });
    const name = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement;
      if (!element) return '(gone)';
      const text = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 30);
      return `${element.tagName.toLowerCase()}.${element.className} “${text}”`;
    };
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(
          ({ node, previousRect, currentRect }) => `${name(node)} ${place(previousRect)} → ${place(currentRect)}`,
        );
        shifts.push({
          score: entry.value,
          move: `${entry.value.toFixed(4)} at ${Math.round(entry.startTime)} ms: ${moved.join(' | ')}`,
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved on the page that is open. */
export async function layoutShifts(page: Page): Promise<LayoutShifts> {
  // Two frames: what was drawn last has been scored by then.
  const shifts = await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (window as unknown as { layoutShifts: { score: number; move: string }[] }).layoutShifts;
  });
  return { score: shifts.reduce((sum, { score }) => sum + score, 0), moves: shifts.map(({ move }) => move) };
}

/** Part of Chromium, not yet of TypeScript's library. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: ReadonlyArray<{
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }>;
}
