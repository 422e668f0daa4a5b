import { openDatabase } from '@wardline/client/store/database.ts';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { formatUnsent } from './connection-labels.ts';
import { KEPT_UNSENT, type KeptUnsent } from './kept-unsent.ts';

const Kept = z.object({ userId: z.string(), name: z.string(), kinds: z.array(z.string()) });

/** What waits on this device, whose it is, and that it is not lost, on a page where nobody is signed in. */
export function KeptUnsentNotice() {
  const [kept, setKept] = useState<(KeptUnsent & { count: number }) | null>(null);
  useEffect(() => {
    let isShown = true;
    findKept().then(
      (found) => isShown && setKept(found),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);
  if (kept === null) return null;
  const { count, kinds, name } = kept;
  return (
    <Banner tone="info" icon={Clock} title={`${formatUnsent(count, kinds)} not sent yet.`}>
      Kept on this device for {name}. {count === 1 ? 'It sends' : 'They send'} when the device is back online and {name}{' '}
      is signed in.
    </Banner>
  );
}

async function findKept(): Promise<(KeptUnsent & { count: number }) | null> {
  const kept = Kept.parse(JSON.parse(localStorage.getItem(KEPT_UNSENT) ?? 'null'));
  // The note may be behind the work itself, as when a tab was killed.
  const database = await openDatabase(kept.userId);
  const count = await database.count('outbox').finally(() => database.close());
  return count > 0 ? { ...kept, count } : null;
}
