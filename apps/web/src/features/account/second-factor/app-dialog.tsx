import {
  beginTwoFactor,
  confirmTwoFactor,
  getTwoFactorQrCode,
  getTwoFactorSecret,
} from '@wardline/contract/account/second-factor.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Copy, ExternalLink } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { isUnconfirmed, useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useCopy } from '#/shared/forms/use-copy.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useRefreshFactors } from './second-factor-queries.ts';

interface AppDialogProps {
  /** The account has an app, which counts until the new one's first code. */
  readonly isReplacement: boolean;
  readonly onClose: () => void;
}

interface Secret {
  readonly url: string;
  readonly key: string;
}

/** Sets up an authenticator app: a picture to scan, its first code, then the recovery codes. */
export function AppDialog({ isReplacement, onClose }: AppDialogProps) {
  const call = useConfirmedCall();
  const refresh = useRefreshFactors();
  const formId = useId();
  const { secret, error: loadError, retry } = useNewSecret(onClose);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['code'],
    required: { code: 'Enter the code that your app shows.' },
    async send({ code }) {
      const { recovery_codes } = await call(confirmTwoFactor, { body: { code: code.trim() } });
      await refresh();
      if (recovery_codes.length > 0) return setCodes(recovery_codes);
      sayDone('Authenticator app changed');
      onClose();
    },
  });
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={isReplacement ? 'Use a new phone' : 'Set up an authenticator app'}
      description={
        isReplacement
          ? 'Scan this with the app on the new phone. The old one works until you enter a code of the new one.'
          : 'Scan this with an app such as Google Authenticator, Microsoft Authenticator or your password manager.'
      }
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy} disabled={secret === null}>
            Turn on
          </Button>
        </>
      }
    >
      {loadError !== null && (
        <ErrorState level={3} title="The code could not be made" message={loadError} onRetry={retry} />
      )}
      {loadError === null && secret === null && <Skeleton count={3} label="Making the code" />}
      {secret !== null && (
        <form id={formId} className="stack stack-4" {...props}>
          {error.general && <Banner tone="error">{error.general}</Banner>}
          <QrCode text={secret.url} label="QR code for your authenticator app" />
          <ByHand secret={secret} />
          <TextInput
            ref={focus}
            label="Code from the app"
            name="code"
            className="mono"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            error={error.fields.code}
          />
        </form>
      )}
    </Dialog>
  );
}

/** For who cannot scan it: a phone can't scan what it shows itself. */
function ByHand({ secret: { url, key } }: { readonly secret: Secret }) {
  const { state, copy } = useCopy(key);
  return (
    <div className="stack">
      <p className="t13 muted">
        Can’t scan it? Open it in the app on this device, or enter this key there:{' '}
        <span className="mono strong breaks">{inGroups(key)}</span>
      </p>
      <p className="row wrap">
        {url.startsWith('otpauth:') && (
          <Button asChild variant="outline" color="neutral" icon={ExternalLink}>
            <a href={url}>Open in the app</a>
          </Button>
        )}
        <Button variant="outline" color="neutral" icon={Copy} onClick={() => void copy()}>
          Copy the key
        </Button>
        <span className="t13 muted" role="status">
          {state === 'copied' && 'Copied.'}
          {state === 'refused' && 'This browser can’t copy. Select the key and copy it yourself.'}
        </span>
      </p>
    </div>
  );
}

/** When the field comes, what had the focus was only there to wait with. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}

/** Asks for a secret when the dialog opens; who does not confirm the password leaves it. */
function useNewSecret(onUnconfirmed: () => void) {
  const call = useConfirmedCall();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [error, setError] = useState<string | null>(null);
  const load = useEffectEvent(async (isGone: () => boolean) => {
    try {
      await call(beginTwoFactor, { body: {} });
      const [{ url }, { secretKey }] = await Promise.all([call(getTwoFactorQrCode), call(getTwoFactorSecret)]);
      if (!isGone()) setSecret({ url, key: secretKey });
    } catch (error) {
      if (isGone()) return;
      if (isUnconfirmed(error)) onUnconfirmed();
      else setError(formatAction(error));
    }
  });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further turn asks again
  useEffect(() => {
    let isGone = false;
    void load(() => isGone);
    return () => {
      isGone = true;
    };
  }, [turn]);
  const retry = () => {
    setError(null);
    setTurn(turn + 1);
  };
  return { secret, error, retry };
}

function inGroups(key: string): string {
  return key.replaceAll(/.{4}(?=.)/g, '$& ');
}
