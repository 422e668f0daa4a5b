import type { CriticalDecision, ReadBack } from '@wardline/contract/chat/critical.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import type { Handover, HandoverSheetInput } from '@wardline/contract/examinations/handovers.ts';
import { sql } from 'kysely';
import { chatHandovers } from '#/features/chat/chats/hand-over-chat.ts';
import { criticalAlertsOfChats } from '#/features/chat/critical/raise-alert.ts';
import { readBackCritical, receiveCritical } from '#/features/chat/critical/read-back.ts';
import { unitOfBed } from '#/features/chat/critical/unit-of-bed.ts';
import { chatAccess } from '#/features/chat/messages/chat-access.ts';
import { createMessageGroup } from '#/features/chat/messages/message-group.ts';
import { sayInDiscussion } from '#/features/chat/messages/say-in-discussion.ts';
import { sendMessage } from '#/features/chat/messages/send-message.ts';
import { closeUrgent } from '#/features/chat/urgent/act-on-urgent.ts';
import { callsInDiscussions } from '#/features/chat/urgent/call-in-discussion.ts';
import { citeFindings } from '#/features/examinations/core/cited-findings.ts';
import type { ExaminationDeps } from '#/features/examinations/core/deps.ts';
import { listExaminationSuggestions } from '#/features/examinations/core/handover-suggestions.ts';
import { createExamination } from '#/features/examinations/create-examination.ts';
import { moveExamination } from '#/features/examinations/move-examination.ts';
import { updateExamination } from '#/features/examinations/update-examination.ts';
import type { HandoverDeps } from '#/features/handovers/core/deps.ts';
import { listSuggestions } from '#/features/handovers/core/handover-suggestions.ts';
import { giveHandover } from '#/features/handovers/give-handover.ts';
import { moveHandover } from '#/features/handovers/move-handover.ts';
import { setHandoverAction } from '#/features/handovers/set-action.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { actorOf } from '#/testing/actor-of.ts';
import { createWriteWithin } from '../../src/platform/http/writes/write.ts';

/** The shipped forms of the stories. */
export const FORMS = {
  renal: '00000000-0000-7000-8000-0000000000e1',
  vitalSigns: '00000000-0000-7000-8000-0000000000e2',
  imaging: '00000000-0000-7000-8000-0000000000e3',
  ecg: '00000000-0000-7000-8000-0000000000e4',
  bloodCount: '00000000-0000-7000-8000-0000000000e7',
} as const;

type Values = Readonly<Record<string, string>>;

interface Recorded {
  readonly form: keyof typeof FORMS;
  readonly sex?: 'female' | 'male';
  /** With the request. */
  readonly asked?: Values;
  readonly found: Values;
  readonly critical?: CriticalDecision;
}

export interface Place {
  readonly tx: DatabaseTransaction;
  readonly chatId: string;
  /** When it all is said to happen. */
  readonly at: Date;
}

/** What the people of a chat do with its examinations, by the product's own functions: hashes, versions and audit are real. */
export class Stage {
  readonly #place: Place;
  readonly #deps: ExaminationDeps;
  readonly #handovers: HandoverDeps;

  constructor(place: Place) {
    this.#place = place;
    const ringing = { ring: async () => undefined };
    this.#deps = {
      ...{ chats: chatAccess, critical: criticalAlertsOfChats(ringing), now: () => place.at },
      ...{ discussions: { say: sayInDiscussion }, calls: callsInDiscussions(ringing) },
    };
    this.#handovers = {
      ...{
        chats: chatAccess,
        handovers: chatHandovers,
        examinationSuggestions: listExaminationSuggestions,
        unitOfBed,
        now: () => place.at,
      },
    };
  }

  /** A draft that somebody has begun to fill in. */
  async draft(by: string, { form, sex, asked = {}, found }: Recorded): Promise<Examination> {
    const { chatId: chat } = this.#place;
    const ctx = await this.#ask(by);
    const body = { client_id: newId(), template_id: FORMS[form], patient_sex: sex ?? null };
    const made = await createExamination(this.#deps)(ctx, { params: { chat }, query: {}, body });
    const entries = entriesOf({ ...asked, ...found });
    if (entries.length === 0) return made;
    return updateExamination(this.#deps)(ctx, {
      ...{ params: { examination: made.id }, query: {} },
      body: { expected_version: made.version, entries },
    });
  }

  /** Asked for, recorded and signed. */
  async report(by: { asks: string; signs: string }, recorded: Recorded): Promise<Examination> {
    const { asked = {}, found, critical } = recorded;
    const draft = await this.draft(by.asks, { ...recorded, found: {}, asked });
    const begun = await this.move(by.signs, await this.move(by.asks, draft, 'requested'), 'in_progress');
    return this.move(by.signs, begun, 'reported', { entries: entriesOf(found), ...(critical && { critical }) });
  }

  async amend(by: string, examination: Examination, found: Values, reason: string): Promise<Examination> {
    return this.move(by, examination, 'amended', { entries: entriesOf(found), reason });
  }

  async move(
    by: string,
    { id, version }: Examination,
    to: Examination['state'],
    more: { entries?: ReturnType<typeof entriesOf>; critical?: CriticalDecision; reason?: string } = {},
  ): Promise<Examination> {
    return moveExamination(this.#deps)(await this.#ask(by), {
      ...{ params: { examination: id }, query: {} },
      body: { to, expected_version: version, ...more },
    });
  }

  /** Whoever is called has it, reads it back, and says what was done: the alert is over. */
  async answerAlert(by: string, { critical_alerts = [] }: Examination, said: ReadBack, note: string): Promise<void> {
    const [alert] = critical_alerts;
    if (!alert) throw new Error('nobody was called');
    const about = { params: { chat: this.#place.chatId, message: alert.message_id }, query: {} };
    await receiveCritical(await this.#ask(by), { ...about, body: {} });
    const { is_right } = await readBackCritical(await this.#ask(by), { ...about, body: said });
    if (!is_right) throw new Error('the read-back does not agree');
    await closeUrgent(await this.#ask(by), { ...about, body: { note } });
  }

  /** A message about a finding of a report. */
  async cite(by: string, body: string, { id, report_version }: Examination, field: string): Promise<void> {
    const { tx, chatId } = this.#place;
    const cites = [{ examination_id: id, field, report_version }];
    const sending = { group: createMessageGroup(tx), ring: async () => undefined };
    await sendMessage({ ...sending, cite: citeFindings })(await this.#ask(by), {
      ...{ params: { chat: chatId }, query: {} },
      body: { client_id: newId(), body, cites },
    });
  }

  /** A sheet of what the chat says of results and scores, and of what its giver adds. */
  async handOver(by: string, to: string, sheet: HandoverSheetInput): Promise<Handover> {
    const { tx, chatId: chat } = this.#place;
    const suggestions = await listSuggestions(this.#handovers, tx, { chatId: chat, userId: by });
    const quoted = suggestions
      .filter(({ kind }) => kind === 'news2' || kind === 'result')
      .map(({ text, source: { kind, id } }) => {
        return { section: 'summary', text, source: { kind, id }, is_quoted: true } as const;
      });
    return giveHandover(this.#handovers)(await this.#ask(by), {
      ...{ params: { chat }, query: {} },
      body: {
        ...{ client_id: newId(), to: { user_id: to, role_id: null }, hands_over_chat: false },
        sheet: { ...sheet, lines: [...quoted, ...sheet.lines] },
      },
    });
  }

  /** Received in the receiver's own words, with the first of its actions done. */
  async receive(by: string, { id: handover, version, versions }: Handover, text: string): Promise<void> {
    const about = { params: { handover }, query: {} };
    const body = { event: 'receive', expected_version: version, text } as const;
    await moveHandover(this.#handovers)(await this.#ask(by), { ...about, body });
    const action = versions[0]?.actions[0]?.id;
    if (action === undefined) return;
    const done = { params: { handover, action }, query: {}, body: { is_done: true } };
    await setHandoverAction(this.#handovers)(await this.#ask(by), done);
  }

  async #ask(userId: string): Promise<RequestContext> {
    const { tx } = this.#place;
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const actor = await actorOf(tx, user);
    const http = { requestId: newId(), socketId: null, ip: '127.0.0.1' };
    const context = { actor, db: tx, log: createLog('silent'), http };
    return {
      ...context,
      http: http as unknown as RequestContext['http'],
      write: createWriteWithin(tx, context),
      noteReads: async () => undefined,
    };
  }
}

/** Puts what was just done back to when it is said to have been: a line a second. The signed texts say that time already. */
export async function backdate({ tx, chatId, at }: Place, after: number): Promise<void> {
  const then = at.toISOString();
  await sql`
    update messages set created_at = ${then}::timestamptz + (seq - ${after} - 1) * interval '1 second'
    where chat_id = ${chatId} and seq > ${after}`.execute(tx);
  await sql`
    update chats as c set updated_at = m.created_at, last_message = last_message_of(m) from messages as m
    where c.id = ${chatId} and m.chat_id = c.id and m.seq = c.head_seq`.execute(tx);
  await sql`
    update examinations set created_at = least(created_at, ${then}),
      requested_at = requested_at - (created_at - least(created_at, ${then})), updated_at = least(updated_at, ${then})
    where chat_id = ${chatId}`.execute(tx);
}

function entriesOf(values: Values) {
  return Object.entries(values).map(([field, value]) => ({ field, value }));
}
