import { v7 as newId } from 'uuid';
import type { HttpPerson } from './http-person.ts';

/** What a writer was told: this client_id is stored, at this seq. */
export interface Acknowledgement {
  readonly clientId: string;
  readonly seq: number;
}

export interface StoredMessage {
  readonly seq: number;
  readonly client_id: string;
  readonly body: string;
}

export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  /** Acknowledged but not stored, or stored at another place than acknowledged. */
  readonly lost: number;
  /** Texts, each written once, that are stored more than once. */
  readonly doubled: number;
  /** Seqs missing between 1 and the newest. */
  readonly gaps: number;
}

/** Compares what was acknowledged with what is there. The one judge of all fault tests; see ledger.spec.ts. */
export function judge(acknowledged: readonly Acknowledgement[], stored: readonly StoredMessage[]): Verdict {
  const seqs = new Set(stored.map((message) => message.seq));
  const bySeq = new Map(stored.map((message) => [message.seq, message.client_id]));
  const newest = Math.max(0, ...acknowledged.map(({ seq }) => seq), ...seqs);
  return {
    acknowledged: acknowledged.length,
    stored: stored.length,
    lost: acknowledged.filter(({ seq, clientId }) => bySeq.get(seq) !== clientId).length,
    doubled: stored.length - new Set(stored.map((message) => message.body)).size,
    gaps: newest - seqs.size,
  };
}

export async function readAllMessages(person: HttpPerson, chatId: string): Promise<StoredMessage[]> {
  const all: StoredMessage[] = [];
  for (;;) {
    const after = all.at(-1)?.seq ?? 0;
    const path = `/api/chats/${chatId}/messages?after=${after}&limit=200`;
    const page = await person.get<{ data: StoredMessage[] }>(path);
    if (page.data.length === 0) return all;
    all.push(...page.data);
  }
}

interface WritingPlan {
  readonly person: HttpPerson;
  readonly chatId: string;
  readonly writers: number;
  readonly perWriter: number;
  /** What a repeat sends; the outbox repeats the same client_id, a broken one would not. */
  readonly newIdPerAttempt?: boolean;
  readonly onAcknowledged?: (count: number) => void;
}

/** Writers that behave as the outbox does: one message at a time, repeated with the same client_id until acknowledged. */
export async function writeUntilAcknowledged(plan: WritingPlan): Promise<Acknowledgement[]> {
  const acknowledged: Acknowledgement[] = [];
  const write = async (writer: number) => {
    for (let n = 0; n < plan.perWriter; n++) {
      acknowledged.push(await sendUntilAcknowledged(plan, `writer ${writer}, message ${n}`));
      plan.onAcknowledged?.(acknowledged.length);
    }
  };
  await Promise.all(Array.from({ length: plan.writers }, (_, writer) => write(writer)));
  return acknowledged;
}

async function sendUntilAcknowledged(plan: WritingPlan, body: string): Promise<Acknowledgement> {
  let clientId = newId();
  for (;;) {
    const answer = await plan.person.send('POST', `/api/chats/${plan.chatId}/messages`, { client_id: clientId, body });
    if (answer?.status === 201) return { clientId, seq: (answer.body as { seq: number }).seq };
    if (answer !== null && answer.status < 500 && answer.status !== 429) {
      throw new Error(`A write was refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    if (plan.newIdPerAttempt) clientId = newId();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function openGroupChat(person: HttpPerson, facilityId: string, title: string): Promise<string> {
  const body = { client_id: newId(), kind: 'group', title, participant_ids: [] };
  const answer = await person.send('POST', `/api/facilities/${facilityId}/chats`, body);
  if (answer?.status !== 201) throw new Error(`The chat was not created: ${JSON.stringify(answer)}`);
  return (answer.body as { id: string }).id;
}

export async function firstFacilityId(person: HttpPerson): Promise<string> {
  const { data } = await person.get<{ data: { id: string }[] }>('/api/facilities');
  const [facility] = data;
  if (facility === undefined) throw new Error('This person has no facility.');
  return facility.id;
}
