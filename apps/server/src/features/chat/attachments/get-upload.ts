import type * as contract from '@wardline/contract/chat/uploads.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { requireUpload } from './attachment-store.ts';
import { noteProgress } from './tus.ts';

type Endpoint = typeof contract.getUpload;

/** How far an upload is. HEAD, as tus asks, is the same without the body. */
export async function getUpload(ctx: RequestContext, { params }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> {
  const upload = await requireUpload(ctx.db, ctx, params.upload);
  noteProgress(ctx.http, upload);
  return { id: upload.id, state: upload.state, offset: upload.received, length: upload.bytes };
}
