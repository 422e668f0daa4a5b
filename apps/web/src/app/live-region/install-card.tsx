import type { InstallPrompt } from '@wardline/client/pwa/install-prompt.ts';
import { useObservable } from '@wardline/client/use-observable.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { OfferCard } from './offer-card.tsx';

/** PWA-3: offers to install the app, or on iOS says how. Cancel is remembered in this browser. */
export function InstallCard({ install }: { install: InstallPrompt }) {
  const { isOffered, steps } = useObservable(install);
  if (!isOffered) return null;
  return (
    <OfferCard label="Install App">
      <h2>Install App</h2>
      {steps.length > 0 ? (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : (
        <p>Opens from your home screen in its own window.</p>
      )}
      <div className="offer-acts">
        <Button variant="ghost" color="neutral" onClick={() => install.cancel()}>
          Cancel
        </Button>
        {steps.length === 0 && <Button onClick={() => void install.install()}>Install</Button>}
      </div>
    </OfferCard>
  );
}
