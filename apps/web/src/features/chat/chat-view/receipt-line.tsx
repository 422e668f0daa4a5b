import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, CheckCheck } from 'lucide-react';
import type { Receipt } from '#/features/chat/core/chat-view.ts';

/** How far an own message has got, in a glyph and words. */
export function ReceiptLine({ receipt }: { receipt: Receipt }) {
  return (
    <p className="m-read">
      <Icon of={receipt.state === 'sent' ? Check : CheckCheck} size="sm" />
      {receiptWords(receipt)}
    </p>
  );
}

function receiptWords(receipt: Receipt): string {
  if (receipt.state === 'sent') return 'Sent';
  if (receipt.state === 'delivered') return `Delivered to ${receipt.count}`;
  return receipt.count >= receipt.of && receipt.of > 1 ? `Read by all ${receipt.of}` : `Read by ${receipt.count}`;
}
