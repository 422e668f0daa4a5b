import type { ClientConfig } from '@wardline/contract/config.ts';
import { createContext, use } from 'react';

/** From where pages take what is not in the build: icons by name, and pictures of other hosts. */
export type PageConfig = Pick<ClientConfig, 'icons' | 'images'>;

export const PageConfigContext = createContext<PageConfig>({ icons: { hosts: [] }, images: { media_host: '' } });

export function usePageConfig(): PageConfig {
  return use(PageConfigContext);
}
