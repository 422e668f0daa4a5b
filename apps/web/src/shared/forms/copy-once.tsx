import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCopy } from './use-copy.ts';

/** What is shown this once and is to be copied, whole and selected for who copies by hand. `label` is what it is: 'Link'. */
export function CopyOnce({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { state, copy } = useCopy(text);
  useEffect(() => input.current?.select(), []);
  const press = async () => {
    // By hand it always works.
    if ((await copy()) === 'refused') input.current?.select();
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
      <Button variant="outline" color="neutral" icon={state === 'copied' ? Check : Copy} onClick={() => void press()}>
        Copy
      </Button>
    </div>
  );
}
