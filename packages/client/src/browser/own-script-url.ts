interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** The part of `window.trustedTypes` that is needed; not every browser has it. */
export interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

// A document lets a policy of one name be made once.
const policies = new WeakMap<TrustedTypes, ScriptUrlPolicy>();

/** The app's service worker, or a file of its build. */
const OWN = /^\/(?:sw\.js|assets\/(?:\w[\w.-]*\/)?[\w-][\w.-]*\.js)$/;

/**
 * The address of a worker's script as a browser with Trusted Types takes it. The only policy of the product (M8): throws a
 * TypeError for whatever is not the app's own.
 */
export function ownScriptUrl(
  url: string,
  trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes,
): string {
  if (!trustedTypes) return url;
  const policy = policies.get(trustedTypes) ?? trustedTypes.createPolicy('app-sw', { createScriptURL: checkOwn });
  policies.set(trustedTypes, policy);
  return policy.createScriptURL(url);
}

function checkOwn(url: string): string {
  if (!OWN.test(url)) throw new TypeError('Not a script of this app.');
  return url;
}
