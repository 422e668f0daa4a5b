import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { type DraftAction, LIMITS } from './sheet-draft.ts';

interface ActionsFieldProps {
  readonly actions: readonly DraftAction[];
  readonly onActions: (actions: DraftAction[]) => void;
}

/** What is to be done, by whom and when. */
export function ActionsField({ actions, onActions }: ActionsFieldProps) {
  const [fresh, setFresh] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  // One writes in the one that was just added at once.
  useEffect(() => {
    if (fresh !== null) box.current?.focus();
  }, [fresh]);
  const add = () => {
    const id = uuidv7();
    setFresh(id);
    onActions([...actions, { id, text: '', owner: '', due: '' }]);
  };
  const change = (id: string, next: Partial<DraftAction>) =>
    onActions(actions.map((action) => (action.id === id ? { ...action, ...next } : action)));
  return (
    <section className="hand-block" aria-label="Action list">
      <h3>Action list</h3>
      <ul className="hand-lines">
        {actions.map(({ id, text, owner, due }, index) => (
          <li key={id} className="hand-action" aria-label={`Action ${index + 1}`}>
            <TextInput
              {...(id === fresh && { ref: box })}
              label="What"
              value={text}
              maxLength={LIMITS.action}
              dir="auto"
              onChange={(event) => change(id, { text: event.target.value })}
            />
            <TextInput
              label="Who"
              value={owner}
              maxLength={LIMITS.owner}
              dir="auto"
              onChange={(event) => change(id, { owner: event.target.value })}
            />
            <TextInput
              label="When"
              type="datetime-local"
              value={due}
              onChange={(event) => change(id, { due: event.target.value })}
            />
            <Button
              variant="ghost"
              color="neutral"
              iconOnly
              icon={X}
              label={`Remove action ${index + 1}`}
              onClick={() => onActions(actions.filter((action) => action.id !== id))}
            />
          </li>
        ))}
      </ul>
      <Button variant="link" size="sm" onClick={add}>
        Add an action
      </Button>
    </section>
  );
}
