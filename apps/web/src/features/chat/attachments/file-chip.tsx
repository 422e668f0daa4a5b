import { formatBytes } from '@wardline/format/bytes.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import { kindOf } from '#/features/chat/uploads/check-file.ts';
import type { UploadView } from '#/features/chat/uploads/uploads.ts';
import { iconOfKind } from './file-icon.ts';

interface FileChipProps {
  readonly file: FileRef;
  /** How far it is; undefined until that is known. */
  readonly view: UploadView | undefined;
  /** Without it nothing can be done about it here. */
  readonly onRemove?: () => void;
  readonly onRetry?: () => void;
  /** Why it is refused stands beside it. */
  readonly isExplained?: boolean;
}

/** A file of mine on its way: what it is, how far, and what can be done about it. */
export function FileChip({ file, view, onRemove, onRetry, isExplained = false }: FileChipProps) {
  const isRefused = view?.phase === 'refused';
  return (
    <span className={isRefused ? 'filechip is-refused' : 'filechip'}>
      <Thumb file={file} blob={view?.blob ?? null} />
      <span className="filechip-text">
        <span className="filechip-name" dir="auto">
          {file.name}
        </span>
        <FileState file={file} view={view} isExplained={isExplained} />
      </span>
      {isRefused && view.mayRetry && onRetry && (
        <Button variant="link" size="sm" label={`Retry ${file.name}`} onClick={onRetry}>
          Retry
        </Button>
      )}
      {onRemove && (
        <Button
          variant="ghost"
          color="neutral"
          size="sm"
          iconOnly
          icon={X}
          label={view?.phase === 'sending' ? `Cancel ${file.name}` : `Remove ${file.name}`}
          onClick={onRemove}
        />
      )}
    </span>
  );
}

function FileState({ file, view, isExplained }: Pick<FileChipProps, 'file' | 'view' | 'isExplained'>): ReactNode {
  const size = formatBytes(file.size);
  if (view?.phase === 'refused') {
    return <span className="filechip-line c-error">{isExplained ? 'Can’t be sent' : view.reason}</span>;
  }
  if (view?.phase === 'ready') return <span className="filechip-line num">{size}</span>;
  const percent = Math.floor((view?.fraction ?? 0) * 100);
  if (view?.phase !== 'sending') {
    const waits = percent > 0 ? `${formatPercent(percent)} of ${size}, waiting` : `${size}, waiting`;
    return <span className="filechip-line num">{view?.reason ?? waits}</span>;
  }
  return (
    <span className="filechip-line num">
      <span className="filechip-bar">
        <Progress value={percent} size="xs" name={`Uploading ${file.name}`} />
      </span>
      {formatPercent(percent)} of {size}
    </span>
  );
}

function Thumb({ file, blob }: { readonly file: FileRef; readonly blob: Blob | null }) {
  const url = useObjectUrl(/^image\/(jpeg|png|webp)$/.test(file.type) ? blob : null);
  return (
    <span className="filechip-thumb">
      {url ? <img src={url} alt="" /> : <Icon of={iconOfKind(kindOf(file))} size="lg" />}
    </span>
  );
}

/** An address of this page for what lies in its memory, for as long as it is shown. */
function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === null) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [blob]);
  return url;
}
