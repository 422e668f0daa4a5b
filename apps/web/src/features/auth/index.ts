/** Who is signed in, and the pages for guests: sign in, sign up, a forgotten password. */

export { SessionProvider, useSession, useSessionState, useUser } from './core/session-context.tsx';
export { ForgotPasswordScreen } from './forgot-password-screen.tsx';
export { PasswordResetScreen } from './password-reset-screen.tsx';
export { SetUpScreen } from './set-up-part.tsx';
export type { SignInNotice } from './sign-in/sign-in-notice.ts';
export { SignInScreen } from './sign-in/sign-in-screen.tsx';
export { SignUpScreen } from './sign-up-screen.tsx';
