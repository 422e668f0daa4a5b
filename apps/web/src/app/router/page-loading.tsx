import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';

/** The shape of a page whose code is still on its way. */
export function PageLoading() {
  return <Skeleton count={6} label="Loading the page" />;
}
