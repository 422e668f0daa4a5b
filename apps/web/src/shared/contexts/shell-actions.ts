import { createContext, type ReactNode, use } from 'react';

/** What the shell puts at the right end of every top bar; on the phone, where there is no rail, the account. */
export const ShellActionsContext = createContext<ReactNode>(null);

export function useShellActions(): ReactNode {
  return use(ShellActionsContext);
}
