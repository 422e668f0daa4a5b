import { ConfigProblem } from '@wardline/client/config-problem.ts';
import { createRoot } from 'react-dom/client';
import { FatalPage } from '#/shared/errors/fatal-page.tsx';
import { showMountFailure } from './show-mount-failure.ts';

/** A configuration that cannot work is named on the error page (CFG-1); what else kept the app from starting is not. */
export function showStartFailure(container: HTMLElement, error: unknown): void {
  if (error instanceof ConfigProblem) createRoot(container).render(<FatalPage error={error} />);
  else showMountFailure(container);
}
