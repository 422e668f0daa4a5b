/** One's own account: the settings, and the page of an address that waits to be verified. */
export { SettingsScreen } from './settings-screen.tsx';
export { VerifyEmailScreen } from './verify-email-screen.tsx';
