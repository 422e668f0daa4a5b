import { isEditable, isSigned } from '@wardline/examination/transition.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import type { LiveRule } from '#/platform/realtime/channels/channel-rule.ts';
import type { ExaminationDeps } from './deps.ts';
import { signExamination, writeExamination } from './policy.ts';
import { requireExamination } from './require-examination.ts';

/** Who may enter a value in a field may say that they are at it: while it is being recorded, and when a report is amended. */
export function liveFields(deps: ExaminationDeps): LiveRule {
  return {
    kind: 'examinations/{examination}/fields/{field}',
    async may(actor, { chatId, params: { examination: examinationId = '', field } }, db) {
      const { chat, examination } = await requireExamination(deps, db, { actor, examinationId });
      const { state, origin, template } = examination;
      const isOfForm = template.fields.some(({ code }) => code === field);
      if (chat.id !== chatId || origin !== null || !isOfForm) return false;
      return isEditable(state)
        ? can(actor, writeExamination, chat)
        : isSigned(state) && can(actor, signExamination, chat);
    },
  };
}
