import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOverlays } from '#/shared/contexts/overlays-context.ts';
import { dismissMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const PasswordDialog = lazyPart(async () => (await import('./password-dialog.tsx')).PasswordDialog, {
  onMissing: dismissMissing,
});

/**
 * The call for what a server may ask the password for again (423). The question lies over whatever is open, and the act goes
 * on by itself after it: nothing that was typed is lost. Where it is not answered, the act fails and says so.
 */
export function useConfirmedCall(): Call {
  return useConfirming()(useCall());
}

/** The same over another call, which is made once more after the password. */
export function useConfirming(): (call: Call) => Call {
  const overlays = useOverlays();
  return (call) => confirming(overlays, call);
}

function confirming(overlays: ReturnType<typeof useOverlays>, call: Call): Call {
  const confirmed = async (...input: Parameters<Call>): Promise<unknown> => {
    try {
      return await call(...input);
    } catch (error) {
      if (!isUnconfirmed(error)) throw error;
      const isConfirmed = await overlays.create(PasswordDialog, { destroyOnClose: true }).open({});
      if (isConfirmed !== true) throw notConfirmed(error);
      return await call(...input);
    }
  };
  return confirmed as Call;
}

/** Whether an act was given up because the password was not confirmed. */
export function isUnconfirmed(error: unknown): boolean {
  return statusOf(error) === 423;
}

function notConfirmed(cause: unknown): ApiError {
  const text = 'Nothing was changed: you did not confirm your password.';
  return new ApiError(text, { status: 423, code: 'password_unconfirmed', cause });
}
