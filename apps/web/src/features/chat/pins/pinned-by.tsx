import type { Message } from '@wardline/contract/chat.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Pin } from 'lucide-react';

interface PinnedByProps {
  readonly by: NonNullable<Message['pinned']>;
  readonly myId: string | undefined;
}

/** Under a pinned message: who keeps it at hand. */
export function PinnedBy({ by, myId }: PinnedByProps) {
  return (
    <p className="m-pinned">
      <Icon of={Pin} size="sm" />
      Pinned by {by.user_id === myId ? 'you' : by.name}
    </p>
  );
}
