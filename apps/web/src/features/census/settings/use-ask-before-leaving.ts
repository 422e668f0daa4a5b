import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';

const QUESTION = {
  title: 'Leave without saving?',
  description: 'What you entered and did not save is lost.',
  confirmLabel: 'Leave without saving',
  cancelLabel: 'Stay',
  onConfirm: async () => undefined,
};

/**
 * Asks before a page is left on which something is unsaved. The way on is held at once and gone again when it is wanted: the
 * question lies over this page, so the browser has to be back on it first.
 */
export function useAskBeforeLeaving(isUnsaved: () => boolean): void {
  const router = useRouter();
  const confirm = useConfirm();
  const mustAsk = useEffectEvent(() => isUnsaved() && router.options.context.auth.isSignedIn());
  const ask = useEffectEvent(async (href: string, isStep: boolean) => {
    if (await confirm(QUESTION)) await router.navigate({ href, replace: isStep, ignoreBlocker: true });
  });
  useEffect(
    () =>
      router.history.block({
        enableBeforeUnload: () => mustAsk(),
        blockerFn: ({ currentLocation, nextLocation, action }) => {
          const isSamePage = pageOf(currentLocation) === pageOf(nextLocation);
          if (isSamePage || !mustAsk()) return false;
          const isStep = action !== 'PUSH' && action !== 'REPLACE';
          const goOn = () => void ask(nextLocation.href, isStep);
          if (isStep) window.addEventListener('popstate', goOn, { once: true });
          else queueMicrotask(goOn);
          return true;
        },
      }),
    [router],
  );
}

function pageOf({ pathname, search }: { readonly pathname: string; readonly search: string }): string {
  return `${pathname}${search}`;
}
