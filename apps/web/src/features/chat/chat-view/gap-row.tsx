import { Button } from '@wardline/ui/button/button.tsx';
import { useEffect } from 'react';

interface GapRowProps {
  readonly afterSeq: number;
  readonly beforeSeq: number;
  readonly onSeen: (beforeSeq: number) => void;
}

/** Messages that are not on this device yet. They are fetched when the row comes into view; the button asks again. */
export function GapRow({ afterSeq, beforeSeq, onSeen }: GapRowProps) {
  const count = beforeSeq - afterSeq - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each gap
  useEffect(() => onSeen(beforeSeq), [beforeSeq]);
  return (
    <div className="gap-row">
      <span>{count === 1 ? '1 message is' : `${count} messages are`} not on this device yet.</span>
      <Button variant="link" size="sm" onClick={() => onSeen(beforeSeq)}>
        Load now
      </Button>
    </div>
  );
}
