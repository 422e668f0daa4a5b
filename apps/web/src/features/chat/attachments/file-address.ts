import type { Call } from '@wardline/client/http/call.ts';
import { createImageSigner, type ImageSigner } from '@wardline/client/images/image-signer.ts';
import { type AttachmentSize, attachmentPath } from '@wardline/contract/chat/attachments.ts';
import { signAttachments } from '@wardline/contract/chat/uploads.ts';
import { use, useCallback, useEffect, useState } from 'react';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { usePageConfig } from '#/shared/contexts/page-config.ts';

const signers = new WeakMap<Call, ImageSigner>();

/** Asks where a file can be loaded from just now; null where it may not be read. Rejects with an ApiError. */
export type AddressOf = (id: string, size: AttachmentSize) => Promise<string | null>;

/** In token mode a browser asks for files with neither cookie nor token: their addresses are signed first, for a minute. */
export function useAddressOf(): AddressOf {
  const { base_url, mode } = usePageConfig();
  const call = use(CallContext);
  return useCallback(
    async (id, size) => {
      const path = attachmentPath(id, size);
      if (mode !== 'token') return base_url + path;
      if (call === null) return null;
      const signer = signers.get(call) ?? createImageSigner({ call, origin: base_url, endpoint: signAttachments });
      signers.set(call, signer);
      return (await signer.sign({ src: path, srcSet: '' }))?.src ?? null;
    },
    [base_url, mode, call],
  );
}

/**
 * Where a sound or film can be played from just now; null where it cannot. In token mode it is fetched first: the policy of a page lets
 * its own host play, and what the page has. The page gives such a `blob:` back.
 */
export function usePlayableAddress(): (id: string) => Promise<string | null> {
  const { mode } = usePageConfig();
  const addressOf = useAddressOf();
  return useCallback(
    async (id) => {
      const address = await addressOf(id, 'file');
      if (address === null || mode !== 'token') return address;
      const answer = await fetch(address);
      return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
    },
    [mode, addressOf],
  );
}

interface FileAddress {
  /** null until it is known. */
  readonly src: string | null;
  readonly hasFailed: boolean;
}

/** Where a picture is loaded from. `attempt` counts how often somebody has asked for it. */
export function useFileAddress(id: string, size: AttachmentSize, attempt: number): FileAddress {
  const { base_url, mode } = usePageConfig();
  const addressOf = useAddressOf();
  const [signed, setSigned] = useState<FileAddress & { readonly of: string }>();
  const of = `${id}/${size}/${attempt}`;
  const isSigned = mode === 'token';
  useEffect(() => {
    if (!isSigned) return;
    let isWanted = true;
    addressOf(id, size).then(
      (src) => isWanted && setSigned({ of, src, hasFailed: src === null }),
      () => isWanted && setSigned({ of, src: null, hasFailed: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [addressOf, id, size, of, isSigned]);
  if (!isSigned) return { src: base_url + attachmentPath(id, size), hasFailed: false };
  return signed?.of === of ? signed : { src: null, hasFailed: false };
}
