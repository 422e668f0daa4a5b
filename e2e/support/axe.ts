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
    });
    return results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.map((node) => String(node.target)),
    }));
  });
  return violations.map(({ id, impact, targets }) => `${id} (${impact}): ${targets.slice(0, 4).join(' · ')}`);
}
