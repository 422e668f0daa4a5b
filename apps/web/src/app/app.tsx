import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { SessionProvider } from '#/features/auth/index.ts';
import { CallContext } from '#/page/call-context.ts';
import { ProductNameContext } from '#/page/page-title.ts';
import { registerServiceWorker, thisPage } from './register-service-worker.ts';
import type { AppRouter } from './router.ts';
import type { Services } from './services.ts';
import { ServicesContext } from './services-context.ts';
import { UpdateBanner } from './update-banner.tsx';

interface AppProps {
  readonly services: Services;
  readonly router: AppRouter;
}

/** Everything around the pages. */
export function App({ services, router }: AppProps) {
  const [updates] = useState(() => {
    const place = import.meta.env.PROD ? thisPage() : null;
    return place && registerServiceWorker(place);
  });
  return (
    <ProductNameContext value={services.config.product_name}>
      <ServicesContext value={services}>
        <CallContext value={services.call}>
          <SessionProvider session={services.session}>
            {updates && <UpdateBanner updates={updates} />}
            <RouterProvider router={router} />
          </SessionProvider>
        </CallContext>
      </ServicesContext>
    </ProductNameContext>
  );
}
