import { Button } from '@wardline/ui/button/button.tsx';
import { useHydrated } from './use-hydrated.ts';

interface SubmitButtonProps {
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly children: string;
}

/**
 * The one button that sends a form. In a page that was rendered ahead it is inert until the code is there: before, the
 * browser itself would send the form, and put what was entered into the address.
 */
export function SubmitButton({ isBusy, isDisabled = false, children }: SubmitButtonProps) {
  const isReady = useHydrated();
  return (
    <Button
      type="submit"
      size="lg"
      isFullWidth
      isLoading={isBusy}
      disabled={isDisabled || !isReady}
      className={isReady ? undefined : 'is-soon'}
    >
      {children}
    </Button>
  );
}
