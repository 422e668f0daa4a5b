const attribute = 'data-owner';

/**
 * Whether somebody may be signed in on this device: public/mode.js has looked before the first paint, and what is only
 * for guests stays unseen until `forgetSessionHint`.
 */
export function hasSessionHint(): boolean {
  return document.documentElement.hasAttribute(attribute);
}

/** It is known who is here: what was held back may be seen. */
export function forgetSessionHint(): void {
  document.documentElement.removeAttribute(attribute);
}
