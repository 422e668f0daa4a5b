import { ConfigProblem } from '@wardline/client/config-problem.ts';
import { createRoot } from 'react-dom/client';
import { isCrawler } from '#/app/router/crawler.ts';
import { FatalPage } from '#/shared/errors/fatal-page.tsx';
import { showMountFailure } from './show-mount-failure.ts';

/**
 * A configuration that cannot work is named on the error page (CFG-1); what else kept the app from starting is not. A
 * crawler keeps the page as it was rendered (SHELL-4).
 */
export function showStartFailure(container: HTMLElement, error: unknown): void {
  if (isCrawler(navigator.userAgent)) return;
  if (error instanceof ConfigProblem) createRoot(container).render(<FatalPage error={error} />);
  else showMountFailure(container);
}
