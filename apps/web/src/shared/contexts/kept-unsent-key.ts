/** Where this device notes whose unsent work it has. */
export const KEPT_UNSENT = 'wardline-unsent';
