import { createSource } from '@wardline/client/observable.ts';
import type { InstallPrompt } from '@wardline/client/pwa/install-prompt.ts';

/** The offer to install this app; null until its code has come. */
export const pageInstall = createSource<InstallPrompt | null>(null);
