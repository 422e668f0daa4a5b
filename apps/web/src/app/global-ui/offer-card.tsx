import type { ReactNode } from 'react';

/** A card at the foot of the window that asks without standing in the way. */
export function OfferCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="offer float" aria-label={label}>
      {children}
    </section>
  );
}
