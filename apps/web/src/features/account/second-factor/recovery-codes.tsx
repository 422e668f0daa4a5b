import { Button } from '@wardline/ui/button/button.tsx';
import { Check, Copy, Download } from 'lucide-react';
import { saveFile } from '#/shared/forms/dialogs/use-download.ts';
import { useCopy } from '#/shared/forms/use-copy.ts';
import { useProductName } from '#/shared/navigation/page-title.ts';

/** Fresh codes, to be kept now: nobody can show them again. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { state, copy } = useCopy(codes.join('\n'));
  const product = useProductName();
  const download = () => {
    const text = `Recovery codes for ${product}. Each works once.\n\n${codes.join('\n')}\n`;
    saveFile({ blob: new Blob([text], { type: 'text/plain' }), fileName: null }, 'recovery-codes.txt');
  };
  return (
    <div className="stack stack-4">
      <ol className="codes mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="row wrap">
        <Button variant="outline" color="neutral" icon={state === 'copied' ? Check : Copy} onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="outline" color="neutral" icon={Download} onClick={download}>
          Download
        </Button>
        <span className="t13 muted" role="status">
          {state === 'copied' && 'Copied.'}
          {state === 'refused' && 'This browser can’t copy. Download them, or write them down.'}
        </span>
      </div>
    </div>
  );
}
