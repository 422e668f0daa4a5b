import { createFileRoute } from '@tanstack/react-router';
import { requireSignedIn } from '#/app/router/guards.ts';
import { SignedInLayout } from '#/app/shell/signed-in-layout.tsx';

/** Everything behind sign-in. The layout's code, and with it queries and the live connection, loads after the guard. */
export const Route = createFileRoute('/_in')({
  beforeLoad: requireSignedIn,
  component: SignedInLayout,
});
