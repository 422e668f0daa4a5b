import { useSyncExternalStore } from 'react';
import { prerenderConfig, type ScreenConfig } from './prerender-config.ts';
import { useServices } from './services-context.ts';

const never = () => () => undefined;

/** The configuration for screens. While a page that was rendered ahead comes to life it is still that of the build. */
export function useConfig(): ScreenConfig {
  const { config } = useServices();
  return useSyncExternalStore<ScreenConfig>(
    never,
    () => config,
    () => prerenderConfig,
  );
}
