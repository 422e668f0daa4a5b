/** One's own account: the settings, what is recorded, and the page of an address that waits to be verified. */
export { RecordedScreen } from './recorded/recorded-screen.tsx';
export { SettingsScreen } from './settings-screen.tsx';
export { VerifyEmailScreen } from './verify-email-screen.tsx';
