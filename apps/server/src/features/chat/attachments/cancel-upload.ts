import type * as contract from '@wardline/contract/chat/uploads.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { requireUpload } from './attachment-store.ts';
import { removeFiles } from './remove-attachments.ts';
import { requireTus } from './tus.ts';

type Endpoint = typeof contract.cancelUpload;

/** Ends an upload, or takes back what was not sent yet; the files go soon after. */
export async function cancelUpload(ctx: RequestContext, { params, headers }: InputOf<Endpoint>): Promise<undefined> {
  requireTus(ctx.http, headers);
  return ctx.write('chat.attachment.discard', async (tx) => {
    const { id, facilityId, chatId } = await requireUpload(tx, ctx, params.upload);
    await removeFiles(tx, { ids: [id] });
    return {
      result: undefined,
      audit: { facilityId, objectType: 'attachment', objectId: id, detail: { chat: chatId } },
    };
  });
}
