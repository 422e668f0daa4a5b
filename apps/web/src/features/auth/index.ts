/** Who is signed in, and the pages for guests: sign in, sign up, a forgotten password. */
export { ForgotPasswordScreen } from './forgot-password-screen.tsx';
export { PasswordResetScreen } from './password-reset-screen.tsx';
export { SessionProvider, useSession, useSessionState, useUser } from './session-context.tsx';
export { SetUpScreen } from './set-up-part.tsx';
export type { SignInNotice } from './sign-in-notice.ts';
export { SignInScreen } from './sign-in-screen.tsx';
export { SignUpScreen } from './sign-up-screen.tsx';
