import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page, a line each: rule, how grave, the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, since the page's own policy lets no script in.
  await page.evaluate(SOURCE);
  const violations = await page.evaluate(async () => {
    const { axe: engine } = window as unknown as { axe: typeof axe };
    const results = await engine.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // It would copy style sheets into inline ones, which the page's policy forbids.
      preload: false,
    });
    const found = [];
    for (const { id, impact, nodes } of results.violations) {
      const targets: string[] = [];
      for (const { target } of nodes) {
        if (id !== 'target-size' || !(await isWholeInView(String(target)))) targets.push(String(target));
      }
      if (targets.length > 0) found.push({ id, impact, targets });
    }
    return found;

    /** A control that scrolls under a bar at the edge is too small only where no scrolling brings it out. */
    async function isWholeInView(target: string): Promise<boolean> {
      document.querySelector(target)?.scrollIntoView({ block: 'center', behavior: 'instant' });
      return (await engine.run(target, { runOnly: ['target-size'] })).violations.length === 0;
    }
  });
  return violations.map(({ id, impact, targets }) => `${id} (${impact}): ${targets.slice(0, 4).join(' · ')}`);
}
