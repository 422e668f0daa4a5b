import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Timer } from 'lucide-react';
import { useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const NursingDialog = lazyPart(async () => (await import('./nursing-dialog.tsx')).NursingDialog, {
  onMissing: closeMissing,
});

interface NursingButtonProps {
  readonly facility: Facility;
  /** The newest census date. */
  readonly newest: string;
  readonly size?: 'sm' | 'md';
}

/** The way to what nurses worked. */
export function NursingButton({ facility, newest, size = 'sm' }: NursingButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" color="neutral" size={size} icon={Timer} onClick={() => setIsOpen(true)}>
        Nursing hours
      </Button>
      {isOpen && <NursingDialog facility={facility} newest={newest} onClose={() => setIsOpen(false)} />}
    </>
  );
}
