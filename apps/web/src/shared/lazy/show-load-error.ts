import { createReloadGuard } from '@wardline/client/pwa/reload-guard.ts';
import { TriangleAlert } from 'lucide-react';
import { showToast } from '#/shared/contexts/show-toast.ts';

/** Says that a part of the page is missing, and offers the full load that brings it. */
export function sayPartMissing(): void {
  showToast({
    title: 'This part did not load',
    description: 'There may be a newer version of this page.',
    colour: 'error',
    icon: TriangleAlert,
    duration: 0,
    actions: [
      { label: 'Load again', altText: 'Load the page again in the browser', onClick: () => window.location.reload() },
    ],
  }).catch(() => {
    // The words for it are gone as well: the full load is all that is left, and never in a circle.
    createReloadGuard().reload(window.location.href);
  });
}
