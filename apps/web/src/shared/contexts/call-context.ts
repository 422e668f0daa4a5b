import type { Call } from '@wardline/client/http/call.ts';
import { createContext, use } from 'react';

/** The one way of this page to speak with the server. */
export const CallContext = createContext<Call | null>(null);

export function useCall(): Call {
  const call = use(CallContext);
  if (!call) throw new Error('There is no call around this component.');
  return call;
}
