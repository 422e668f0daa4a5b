import type { exportHandover as endpoint } from '@wardline/contract/examinations/handovers.ts';
import { FHIR_JSON, writeFhir } from '#/platform/fhir/fhir-json.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import type { HandoverDeps } from './core/deps.ts';
import { requireHandover, serializeHandover } from './core/require-handover.ts';
import { findSignedTexts } from './core/sheet-queries.ts';
import { handoverDocument } from './handover-document.ts';

/** A hand-over as a FHIR R4 Bundle, for who reads it. That it is taken is stored before the first byte. */
export function exportHandover(deps: HandoverDeps) {
  return async (
    { actor, db, noteReads, write }: RequestContext,
    { params }: InputOf<typeof endpoint>,
  ): Promise<Download> => {
    const handoverId = params.handover;
    const opened = await requireHandover(deps, db, { actor, handoverId });
    const { id: chatId, facilityId } = opened.chat;
    const { sheet_version: version } = opened.handover.summary;
    await noteReads('handover.view', [{ facilityId, objectType: 'handover', objectId: handoverId, chatId }]);
    await write('handover.export', async () => ({
      result: undefined,
      audit: { facilityId, objectType: 'handover', objectId: handoverId, detail: { chat: chatId, version } },
    }));
    const handover = await serializeHandover(db, { actor, opened });
    const texts = await findSignedTexts(db, { handoverId, version });
    const document = handoverDocument({ handover, ...texts }, new Date());
    return { fileName: `handover-${handoverId}.json`, contentType: FHIR_JSON, body: writeFhir(document) };
  };
}
