import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useState } from 'react';

type Keeping = 'unknown' | 'for-now' | 'refused' | 'for-good';

/**
 * CHAT-24: says where the browser may clear what waits on this device, and has it asked to keep it. Safari clears a site
 * that was not opened for seven days, others when the disk is full, unless the storage is persistent.
 */
export function StorageNotice() {
  const [keeping, setKeeping] = useState<Keeping>('unknown');
  useEffect(() => {
    storage()
      ?.persisted()
      .then((isKept) => setKeeping(isKept ? 'for-good' : 'for-now'))
      // Where it cannot be asked, nothing can be said.
      .catch(() => undefined);
  }, []);
  const ask = () =>
    storage()
      ?.persist()
      .then((isKept) => setKeeping(isKept ? 'for-good' : 'refused'))
      .catch(() => setKeeping('refused'));
  if (keeping === 'for-now') {
    return (
      <Banner
        tone="warning"
        announce="none"
        action={
          <Button size="sm" variant="outline" color="neutral" onClick={() => void ask()}>
            Ask to keep it
          </Button>
        }
      >
        This browser may clear unsent work after days without use, or when its disk is full.
      </Banner>
    );
  }
  if (keeping === 'refused') {
    return (
      <Banner tone="warning">
        The browser did not agree. Install the app, or go online within a few days, so that nothing is lost.
      </Banner>
    );
  }
  return null;
}

/** Only pages with TLS, and of the same machine, have it. */
function storage(): StorageManager | undefined {
  const { storage: manager } = navigator as { storage?: StorageManager };
  return typeof manager?.persisted === 'function' ? manager : undefined;
}
