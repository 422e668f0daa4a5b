import type { ClientConfig } from '@wardline/contract/config.ts';

/** Throws where a mode lacks what it needs (CFG-3). */
export function checkHttpConfig(config: ClientConfig, hasTokenStorage: boolean): void {
  if (config.endpoints.user === '') throw new Error('`sanctum.endpoints.user` is not defined');
  if (config.mode === 'token') {
    if (!hasTokenStorage) throw new Error('Token storage is not defined');
    return;
  }
  if (config.csrf.cookie === '') throw new Error('`sanctum.csrf.cookie` is not defined');
  if (config.csrf.header === '') throw new Error('`sanctum.csrf.header` is not defined');
  if (config.endpoints.csrf === '') throw new Error('`sanctum.endpoints.csrf` is not defined');
}
