import { createReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import { TriangleAlert } from 'lucide-react';
import { showToast } from '#/shared/contexts/show-toast.ts';

const ASKS_AGAIN_MS = 5_000;
let isWaiting = false;

/** Says that a part of the page is missing, and offers the full load that brings it. */
export function sayPartMissing(): void {
  say().catch(() => void sayOnceReached());
}

function say() {
  return showToast({
    title: 'This part did not load',
    description: 'There may be a newer version of this page.',
    colour: 'error',
    icon: TriangleAlert,
    duration: 0,
    actions: [
      { label: 'Load again', altText: 'Load the page again in the browser', onClick: () => window.location.reload() },
    ],
  });
}

/**
 * The words for it are gone as well: the full load is all that is left, and never in a circle. Not while nobody answers: the chat that
 * stands would give way to a page that cannot start.
 */
async function sayOnceReached(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, ASKS_AGAIN_MS));
  isWaiting = false;
  say().catch(() => createReloadGuard().reload(window.location.href));
}

async function isReached(): Promise<boolean> {
  try {
    // A proxy answers for a server that is gone.
    const answer = await fetch(window.location.href, { cache: 'no-store', headers: { Accept: 'text/html' } });
    return answer.status < 500;
  } catch {
    return false;
  }
}
