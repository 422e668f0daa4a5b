/** Who is signed in, and the page one signs in on. */
export { SessionProvider, useSession, useSessionState, useUser } from './session-context.tsx';
export { SignInScreen } from './sign-in-screen.tsx';
