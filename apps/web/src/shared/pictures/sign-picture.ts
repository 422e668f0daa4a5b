// A chunk of its own, which comes in token mode only.
import type { Call } from '@wardline/client/http/call.ts';
import { createImageSigner, type ImageSigner } from '@wardline/client/images/image-signer.ts';
import type { ImageSources } from '@wardline/client/images/image-sources.ts';

const signers = new WeakMap<Call, ImageSigner>();

/** The sources with signed addresses. One signer for all pictures of a page, so that they are asked for together. */
export function signPicture(call: Call, origin: string, sources: ImageSources): Promise<ImageSources | null> {
  const signer = signers.get(call) ?? createImageSigner({ call, origin });
  signers.set(call, signer);
  return signer.sign(sources);
}
