import { Button } from '@wardline/ui/button/button.tsx';
import { Pin } from 'lucide-react';
import { useState } from 'react';
import { PinsDialog, type PinsDialogProps } from './pins-dialog.tsx';

/** In the head of a chat that has pinned messages: opens them. */
export function PinsButton(props: Omit<PinsDialogProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        color="neutral"
        iconOnly
        icon={Pin}
        label="Pinned messages"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <PinsDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
