import { openDatabase } from '@wardline/client/store/database.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Clock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { KEPT_UNSENT } from '#/shared/contexts/kept-unsent-key.ts';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';

const Kept = z.object({ userId: z.string(), name: z.string(), kinds: z.array(z.string()) });
type Found = z.infer<typeof Kept> & { readonly count: number };

/** What waits on this device, whose it is, and that it is not lost, on a page where nobody is signed in. */
export function KeptUnsentNotice(): ReactNode {
  const [kept, setKept] = useState<Found | null>();
  useEffect(() => {
    let isShown = true;
    findKept().then(
      (found) => isShown && setKept(found),
      () => isShown && setKept(null),
    );
    return () => {
      isShown = false;
    };
  }, []);
  // Its room is kept while it is looked for.
  if (kept === undefined) return <div />;
  if (kept === null) return null;
  const { count, kinds, name } = kept;
  return (
    <Banner tone="info" icon={Clock} title={`${formatUnsent(count, kinds)} not sent yet.`}>
      Kept on this device for {name}. {count === 1 ? 'It sends' : 'They send'} when the device is back online and {name}{' '}
      is signed in.
    </Banner>
  );
}

async function findKept(): Promise<Found | null> {
  const kept = Kept.parse(JSON.parse(localStorage.getItem(KEPT_UNSENT) ?? 'null'));
  // The note may be behind the work itself, as when a tab was killed.
  const database = await openDatabase(kept);
  const count = await database.count('outbox').finally(() => database.close());
  return count > 0 ? { ...kept, count } : null;
}
