import { RouterProvider } from '@tanstack/react-router';
import type { OverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import type { EarlyInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { useEffect, useState } from 'react';
import { SessionProvider } from '#/features/auth/index.ts';
import { CallContext } from '#/page/call-context.ts';
import { ProductNameContext } from '#/page/page-title.ts';
import type { LiveRegion } from './live-region/live-region.tsx';
import { OverlayHistoryContext } from './overlay-history-context.ts';
import type { AppRouter } from './router.ts';
import type { Services } from './services.ts';
import { ServicesContext } from './services-context.ts';
import { useConfig } from './use-config.ts';

interface AppProps {
  readonly services: Services;
  readonly router: AppRouter;
  /** Absent where there is no window: rendering ahead. */
  readonly earlyInstall?: EarlyInstallEvent;
  readonly overlayHistory?: OverlayHistory;
}

/** Everything around the pages. */
export function App(props: AppProps) {
  const { services, overlayHistory = null } = props;
  return (
    <ServicesContext value={services}>
      <OverlayHistoryContext value={overlayHistory}>
        <CallContext value={services.call}>
          <SessionProvider session={services.session}>
            <NamedPages {...props} />
          </SessionProvider>
        </CallContext>
      </OverlayHistoryContext>
    </ServicesContext>
  );
}

function NamedPages(props: AppProps) {
  const [Over, setOver] = useState<typeof LiveRegion | null>(null);
  useEffect(() => {
    // What lies over the page is not part of its first picture. Without its code the page still works.
    import('./live-region/live-region.tsx').then(
      (module) => setOver(() => module.LiveRegion),
      () => undefined,
    );
  }, []);
  const { router, services, earlyInstall } = props;
  return (
    <ProductNameContext value={useConfig().product_name}>
      <RouterProvider router={router} />
      {Over && earlyInstall && <Over router={router} services={services} earlyInstall={earlyInstall} />}
    </ProductNameContext>
  );
}
