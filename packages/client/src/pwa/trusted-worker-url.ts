interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** The part of `window.trustedTypes` that is needed; not every browser has it. */
export interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** The only Trusted Types policy of the product: it lets through one address. */
export function trustedWorkerUrl(workerUrl: string, trustedTypes: TrustedTypes | undefined): string {
  if (!trustedTypes) return workerUrl;
  const policy = trustedTypes.createPolicy('app-sw', {
    createScriptURL(url) {
      if (url !== workerUrl) throw new TypeError('Not the service worker of this app.');
      return url;
    },
  });
  return policy.createScriptURL(workerUrl);
}
