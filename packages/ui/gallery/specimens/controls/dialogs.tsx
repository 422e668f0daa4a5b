import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Dialog } from '#/dialog/dialog.tsx';
import { TextInput } from '#/input/text-input.tsx';
import type { Specimen } from '../../specimen.ts';

function Question() {
  const [isOpen, setIsOpen] = useState(true);
  const [left, setLeft] = useState(0);
  return (
    <main className="g-box">
      <h1 className="sr">A dialog</h1>
      <Button onClick={() => setIsOpen(true)}>Reopen Wed 18 Nov</Button>
      <p className="t13 muted">Left {left} times</p>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        onAfterLeave={() => setLeft((times) => times + 1)}
        title="Reopen Wed 18 Nov?"
        description="It was signed by Owen Hart. Openings from Thu 19 Nov on may move and are marked restated."
        footer={
          <>
            <Button variant="ghost" color="neutral" onClick={() => setIsOpen(false)}>
              Cancel
            </Button>
            <Button onClick={() => setIsOpen(false)}>Reopen Wed 18 Nov</Button>
          </>
        }
      >
        <TextInput label="Reason" defaultValue="Late discharge slip, MED 3A" />
      </Dialog>
    </main>
  );
}

function Large() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <main className="g-box">
      <h1 className="sr">A large dialog</h1>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="People of this chat" size="lg" closeLabel="Close">
        <p>A cross at the upper right stands in for 'Cancel' where there is nothing to cancel.</p>
      </Dialog>
    </main>
  );
}

export const specimen: Specimen = {
  id: 'dialogs',
  title: 'Dialog',
  group: 'Overlays',
  cases: [
    { name: 'A question; under 768 px a sheet from below', Show: Question, height: 420 },
    { name: 'Large, with a cross', Show: Large, height: 300 },
  ],
};
