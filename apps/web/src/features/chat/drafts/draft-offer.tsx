import { Button } from '@wardline/ui/button/button.tsx';
import type { MouseEvent } from 'react';
import { acceptOffer, discardOffer, readDraft, readOffer } from './draft-content.ts';
import type { DraftStore } from './draft-store.ts';
import './draft-offer.css';

interface DraftOfferProps {
  readonly chatId: string;
  readonly drafts: DraftStore;
}

/** Over the box one writes in: what was written here on another device, where something else stands in the box. */
export function DraftOffer({ chatId, drafts }: DraftOfferProps) {
  const offer = readOffer(drafts, chatId);
  if (offer === null) return null;
  const decide = (way: typeof acceptOffer) => (event: MouseEvent<HTMLButtonElement>) => {
    // Both buttons go.
    event.currentTarget.closest('form')?.querySelector('textarea')?.focus();
    way(drafts, chatId);
  };
  return (
    <section className="draft-offer" aria-label="Draft from another device">
      <p role="status">Draft from another device</p>
      <p className="draft-offer-text" dir="auto">
        {offer.body}
      </p>
      <p className="draft-offer-ways">
        <Button variant="outline" color="neutral" size="sm" onClick={decide(acceptOffer)}>
          {readDraft(drafts, chatId) ? 'Add to mine' : 'Use it'}
        </Button>
        <Button variant="ghost" color="neutral" size="sm" onClick={decide(discardOffer)}>
          Discard it
        </Button>
      </p>
    </section>
  );
}
