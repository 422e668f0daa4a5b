import type { ClientConfig } from '@wardline/contract/config.ts';
import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { transportError } from './api-error.ts';
import type { AnyCallInput } from './call-input.ts';

/** The endpoints whose address is configuration, by their name in the contract. */
const CONFIGURED: Readonly<Record<string, keyof ClientConfig['endpoints']>> = {
  getCsrfCookie: 'csrf',
  signIn: 'login',
  signOut: 'logout',
  getUser: 'user',
  createToken: 'token',
  register: 'register',
  forgotPassword: 'forgot_password',
  resetPassword: 'reset_password',
  sendVerification: 'verification_notification',
  getDeviceKey: 'device_key',
  authorizeChannel: 'broadcasting_auth',
  authorizeUser: 'broadcasting_user_auth',
};

/** The absolute or site-relative address of a call, with its params and query in it. Throws where the configuration has none (CFG-3). */
export function buildUrl(config: ClientConfig, endpoint: AnyEndpoint, input: AnyCallInput): string {
  const configured = CONFIGURED[endpoint.name];
  const pattern = configured === undefined ? endpoint.path : config.endpoints[configured];
  if (pattern === '') throw transportError('misconfigured', `\`sanctum.endpoints.${configured}\` is not defined`);
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.size > 0 ? `?${query}` : '';
  return `${config.base_url.replace(/\/$/, '')}${path}${search}`;
}

/** Method, headers and body. PUT with a form goes as POST with `_method` (HTTP-2); the caller's form is not changed. */
export function buildInit(
  endpoint: AnyEndpoint,
  input: AnyCallInput,
): { method: string; headers: Headers; body?: BodyInit } {
  const headers = new Headers(input.headers);
  if (!headers.has('Accept')) headers.set('Accept', 'application/json');
  if (input.form !== undefined) {
    if (endpoint.method !== 'PUT') return { method: endpoint.method, headers, body: input.form };
    const form = new FormData();
    for (const [name, value] of input.form) form.append(name, value);
    form.append('_method', 'PUT');
    return { method: 'POST', headers, body: form };
  }
  if (endpoint.method === 'GET' || input.body === undefined) return { method: endpoint.method, headers };
  headers.set('Content-Type', 'application/json');
  return { method: endpoint.method, headers, body: JSON.stringify(input.body) };
}
