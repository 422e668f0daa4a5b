import type { UpdateWatch } from '@wardline/client/pwa/service-worker.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { OfferCard } from './offer-card.tsx';

/** PWA-2: asks for the update. Cancel hides it for this page's life, and leaves the choice about installing alone. */
export function UpdatePrompt({ updates }: { updates: UpdateWatch }) {
  const { isPrompting } = useObservable(updates);
  if (!isPrompting) return null;
  return (
    <OfferCard label="Update">
      <p>New contend found, need refresh page</p>
      <div className="offer-acts">
        <Button variant="ghost" color="neutral" onClick={() => updates.cancelPrompt()}>
          Cancel
        </Button>
        <Button onClick={() => updates.apply()}>Refresh</Button>
      </div>
    </OfferCard>
  );
}
