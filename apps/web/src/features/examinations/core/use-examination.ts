import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import {
  Examination,
  ExaminationTemplate,
  getExamination,
  listExaminations,
  listExaminationTemplates,
  listReportVersions,
  ReportVersion,
} from '@wardline/contract/examinations/examinations.ts';
import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { joinChat } from '#/shared/contexts/join-chat.ts';
import { useRealtime } from '#/shared/contexts/realtime-context.ts';
import { askOrRead, keepAnswer } from '#/shared/queries/kept-answer.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const PAGE = 100;

/** Without a network the device answers, and with it again the server. */
const DEVICE_ANSWERS = { networkMode: 'always', refetchOnReconnect: true } as const;

const keyOf = (examinationId: string) => ['examination', examinationId];
const listKeyOf = (chatId: string) => ['examinations', chatId];

/** Under which name an examination is kept as it was read, and with which chat it goes. */
const copyOf = (store: DeviceStore, examinationId: string) => ({
  ...{ store, name: `examination-read/${examinationId}` },
  chatId: ({ chat_id }: Examination) => chat_id,
});

/** An examination as it stands, offline as this device knew it last; one that is not begun on the server is not asked for. */
export function useExamination(examinationId: string, isBegun = true) {
  const call = useCall();
  const { store } = useDevice();
  const queries = useQueryClient();
  const queryKey = keyOf(examinationId);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const ask = () => call(getExamination, { params: { examination: examinationId }, signal });
      const { value: found } = await askOrRead({ ...copyOf(store, examinationId), shape: Examination, ask });
      // What was saved while this was on its way is newer.
      const held = queries.getQueryData<Examination>(queryKey);
      return held && held.version > found.version ? held : found;
    },
    enabled: isBegun,
    ...DEVICE_ANSWERS,
  });
}

/** The answer to a change is how the examination stands now; the versions of its report and the chat's list are asked again. */
export function useKeepExamination(): (examination: Examination) => void {
  const { store } = useDevice();
  const queries = useQueryClient();
  return (examination) => {
    void keepAnswer(copyOf(store, examination.id), examination);
    queries.setQueryData(keyOf(examination.id), examination);
    void queries.invalidateQueries({ queryKey: listKeyOf(examination.chat_id) });
    void queries.invalidateQueries({ queryKey: ['report-versions', examination.id] });
  };
}

/** The examinations of a chat, the newest first, page by page; offline the first page as this device knew it last. */
export function useExaminations(chatId: string) {
  const call = useCall();
  const { store } = useDevice();
  const list = usePages({
    queryKey: listKeyOf(chatId),
    load: async ({ query, signal }) => {
      const ask = () => call(listExaminations, { params: { chat: chatId }, query: { ...query, limit: PAGE }, signal });
      if (query.cursor) return ask();
      const copy = { store, name: `examinations/${chatId}`, chatId, shape: listExaminations.reply };
      return (await askOrRead({ ...copy, ask })).value;
    },
    ...DEVICE_ANSWERS,
  });
  return { list, examinations: list.data?.pages.flatMap((page) => page.data) };
}

const KeptVersions = z.array(ReportVersion);

/** The signed versions of a report, the newest first; asked for once there is one, and kept as what was read is. */
export function useReportVersions(examination: Pick<Examination, 'id' | 'chat_id' | 'report_version'>) {
  const { id, chat_id: chatId, report_version: newest } = examination;
  const call = useCall();
  const { store } = useDevice();
  return useQuery({
    queryKey: ['report-versions', id],
    queryFn: async ({ signal }) => {
      const asked = { params: { examination: id }, query: { limit: PAGE }, signal };
      const ask = async () => (await call(listReportVersions, asked)).data;
      return (await askOrRead({ store, name: `report-versions/${id}`, chatId, shape: KeptVersions, ask })).value;
    },
    enabled: newest > 0,
    ...DEVICE_ANSWERS,
  });
}

const KeptForms = z.array(ExaminationTemplate);

/** The forms that a facility has; offline as this device knew them last. */
export function useExaminationTemplates(facilityId: string) {
  const call = useCall();
  const { store } = useDevice();
  return useQuery({
    queryKey: ['examination-templates', facilityId],
    queryFn: async ({ signal }) => {
      const asked = { params: { facility: facilityId }, query: { limit: PAGE }, signal };
      const ask = async () => (await call(listExaminationTemplates, asked)).data;
      return (await askOrRead({ store, name: `examination-forms/${facilityId}`, shape: KeptForms, ask })).value;
    },
    // Without a network the device answers.
    networkMode: 'always',
  });
}

/** What was heard in this turn: several parts of a page hear the same, and one question is enough. */
const heard = new Set<string>();

/** While it is shown: asks again for what changed in the chat, and for all of it after each time without a connection. */
export function useExaminationChanges(chatId: string): void {
  const realtime = useRealtime();
  const queries = useQueryClient();
  const refresh = useEffectEvent((examinationId: string | null) => {
    const what = `${chatId} ${examinationId}`;
    if (heard.has(what)) return;
    heard.add(what);
    queueMicrotask(() => heard.delete(what));
    // A question that is on its way may have been answered before this: it is asked anew.
    const of = (name: string) => (examinationId === null ? [name] : [name, examinationId]);
    for (const queryKey of [listKeyOf(chatId), ['trend'], of('examination'), of('report-versions'), of('citing')])
      void queries.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    const events = { ExaminationChanged: ({ examination_id }: { examination_id: string }) => refresh(examination_id) };
    return joinChat(realtime, chatId, { events, onAgain: () => refresh(null) });
  }, [realtime, chatId]);
}
