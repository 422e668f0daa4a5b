import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** A link to be copied, whole and selected for who copies by hand. */
export function LinkOnce({ link }: { link: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'refused'>('shown');
  useEffect(() => input.current?.select(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
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
        label="Link"
        value={link}
        readOnly
        help={
          <span role="status">
            {state === 'copied' && 'Copied.'}
            {state === 'refused' && 'This browser can’t copy. The link is selected: copy it yourself.'}
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
