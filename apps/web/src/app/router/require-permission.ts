import { redirect } from '@tanstack/react-router';
import type { RouterContext } from './router-context.ts';

/** Sends somebody who has this permission in none of their facilities to /403. The server asks again for every answer. */
export function requirePermission(permission: string) {
  return ({ context }: { readonly context: Pick<RouterContext, 'auth'> }): void => {
    if (context.auth.may(permission)) return;
    throw redirect({ to: '/403', replace: true });
  };
}

/** Sends whoever is no system administrator to /403, before any code of the page comes. */
export function requireOperator({ context }: { readonly context: Pick<RouterContext, 'auth'> }): void {
  if (!context.auth.isOperator()) throw redirect({ to: '/403', replace: true });
}
