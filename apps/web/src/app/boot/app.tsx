import { RouterProvider } from '@tanstack/react-router';
import type { OverlayHistory } from '@wardline/client/overlays/overlay-history.ts';
import type { EarlyInstallEvent } from '@wardline/client/pwa/early-install-event.ts';
import { useEffect, useState } from 'react';
import type { LiveRegion } from '#/app/global-ui/global-ui.tsx';
import type { AppRouter } from '#/app/router/router.tsx';
import type { Services } from '#/app/services/services.ts';
import { ServicesContext } from '#/app/services/services-context.ts';
import { useConfig } from '#/app/services/use-config.ts';
import { OverlayHistoryContext } from '#/app/shell/overlay-history-context.ts';
import { SessionProvider } from '#/features/auth/index.ts';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { ProductNameContext } from '#/shared/navigation/page-title.ts';

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
    import('#/app/global-ui/global-ui.tsx').then(
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
