import { isTemporary } from '@wardline/client/http/api-error.ts';
import { TriangleAlert } from 'lucide-react';
import { showToast } from '#/shared/contexts/show-toast.ts';

/** A message that somebody wanted to be led to is not there for them: whether there is one at all is not said. */
export function sayNotShown(error: unknown): void {
  say(
    'This message can’t be shown',
    isTemporary(error) ? 'Try again when you’re back online.' : 'It doesn’t exist, or you can’t see it.',
  );
}

/** What was not even kept on this device: nothing in the chat shows it. */
export function sayNotKept(error: unknown): void {
  say('Not saved', error instanceof Error ? error.message : 'Try again.');
}

function say(title: string, description: string): void {
  showToast({ title, description, colour: 'error', icon: TriangleAlert }).catch(() => undefined);
}
