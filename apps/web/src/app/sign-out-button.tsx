import { Button } from '@wardline/ui/button/button.tsx';
import { useLeave } from './use-leave.tsx';

/** The way out, where it must not hide in a menu. */
export function SignOutButton() {
  const { leave, question } = useLeave();
  return (
    <>
      <Button variant="ghost" color="neutral" onClick={leave}>
        Sign out
      </Button>
      {question}
    </>
  );
}
