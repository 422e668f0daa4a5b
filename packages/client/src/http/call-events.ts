import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import type { ApiError } from './api-error.ts';

/** What calls tell other code (AUTH-4); once per attempt. */
export interface CallEvents {
  /** Every 4xx and 5xx, before what a 401 or 419 leads to. */
  'sanctum:error': { readonly endpoint: AnyEndpoint; readonly response: Response; readonly error: ApiError };
  /** No answer: network, timeout, cancelled. */
  'sanctum:error:request': { readonly endpoint: AnyEndpoint; readonly error: ApiError };
  /** The answer stands at another address of this site, and the page should go there. */
  'sanctum:redirect': { readonly url: string };
  /** 401, told after sanctum:error. */
  unauthenticated: { readonly endpoint: AnyEndpoint };
  /** 419, in cookie mode to a write with a fresh token too; told after sanctum:error. */
  csrf_mismatch: { readonly endpoint: AnyEndpoint };
}

/** What the session tells other code of identity. */
export interface SessionEvents {
  'sanctum:init': undefined;
  'sanctum:refresh': undefined;
  'sanctum:login': undefined;
  'sanctum:logout': undefined;
}

/** All of it: the map of the one emitter that calls and session share. */
export type ClientEvents = CallEvents & SessionEvents;
