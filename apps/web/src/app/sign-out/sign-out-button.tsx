import { Button } from '@wardline/ui/button/button.tsx';
import { useLeave } from './use-leave.ts';

/** The way out, where it must not hide in a menu. */
export function SignOutButton() {
  return (
    <Button variant="ghost" color="neutral" onClick={useLeave()}>
      Sign out
    </Button>
  );
}
