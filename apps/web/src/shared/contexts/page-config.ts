import type { ClientConfig } from '@wardline/contract/config.ts';
import { createContext, use } from 'react';

/** From where pages take what is not in the build: icons by name, and pictures, here or at another origin; who else says who one is, and whether mails reach anybody. */
export type PageConfig = Pick<ClientConfig, 'base_url' | 'mode' | 'icons' | 'images'> &
  Partial<Pick<ClientConfig, 'sso' | 'mail'>>;

export const PageConfigContext = createContext<PageConfig>({
  base_url: '',
  mode: 'cookie',
  icons: { hosts: [] },
  images: { media_host: '' },
});

export function usePageConfig(): PageConfig {
  return use(PageConfigContext);
}

/** False where what is mailed reaches no one, as the configuration says. */
export function useIsMailSent(): boolean {
  return usePageConfig().mail?.is_sent ?? true;
}
