/** Why one was sent to the sign-in page. */
export type SignInNotice = 'session-ended' | 'password-set' | 'address-confirmed' | 'link-invalid';
