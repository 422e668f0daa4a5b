import { type CitingMessage, listCitations } from '@wardline/contract/chat/citations.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';

const PAGE = 100;

export const citingKeyOf = (examinationId: string) => ['citing', examinationId];

/** The messages that cite findings of an examination, the newest first, page by page; asked for once there is a report. */
export function useCiting(examinationId: string, isWanted: boolean) {
  const call = useCall();
  const list = usePages({
    queryKey: citingKeyOf(examinationId),
    load: ({ query, signal }) =>
      call(listCitations, { params: { examination: examinationId }, query: { ...query, limit: PAGE }, signal }),
    enabled: isWanted,
  });
  const messages = list.data?.pages.flatMap((page) => page.data) ?? [];
  const ofField = (code: string): CitingMessage[] =>
    messages.filter(({ cited }) => cited.some(({ field }) => field === code));
  return { list, ofField };
}
