import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** What is shown this once and is to be copied, whole and selected for who copies by hand. `label` is what it is: 'Link'. */
export function CopyOnce({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'refused'>('shown');
  useEffect(() => input.current?.select(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Not allowed, or no secure context: by hand it always works.
      input.current?.select();
      setState('refused');
    }
  };
  return (
    <div className="stack">
      <TextInput
        ref={input}
        label={label}
        value={text}
        readOnly
        help={
          <span role="status">
            {state === 'copied' && 'Copied.'}
            {state === 'refused' &&
              `This browser can’t copy. The ${label.toLowerCase()} is selected: copy it yourself.`}
          </span>
        }
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="outline" color="neutral" icon={state === 'copied' ? Check : Copy} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
