import { ApiError } from '@wardline/client/http/api-error.ts';
import { createUploadFetch } from '@wardline/client/http/upload.ts';
import { setAvatar } from '@wardline/contract/account/account.ts';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

const patienceMs = 120_000;

interface AvatarUpload {
  /** 0 to 1 while a picture is on its way, else null. */
  readonly progress: number | null;
  readonly error: string | null;
  /** Cuts the picture out, then sends it. */
  readonly send: (cut: () => Promise<Blob>) => void;
  readonly cancel: () => void;
}

/** UI-2: sends a picture, tells how far it is, and can be stopped; also by leaving. */
export function useAvatarUpload(onStored: () => Promise<void>): AvatarUpload {
  const call = useCall();
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);

  const send = async (cut: () => Promise<Blob>) => {
    const controller = new AbortController();
    ending.current = controller;
    setError(null);
    setProgress(0);
    try {
      const form = new FormData();
      form.append('avatar', await cut(), 'avatar.jpg');
      await call(setAvatar, {
        form,
        fetch: createUploadFetch(setProgress),
        signal: controller.signal,
        timeoutMs: patienceMs,
      });
      await onStored();
    } catch (error) {
      if (!isCancelled(error)) setError(formatAction(error));
    } finally {
      setProgress(null);
    }
  };
  return { progress, error, send: (cut) => void send(cut), cancel: () => ending.current?.abort() };
}

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'cancelled';
}
