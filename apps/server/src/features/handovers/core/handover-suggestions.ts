import type { Message } from '@wardline/contract/chat/chat.ts';
import {
  HANDOVER_LINE_MAX,
  type HandoverLine,
  type HandoverSheetInput,
  type HandoverSuggestion,
} from '@wardline/contract/examinations/handovers.ts';
import { formatList } from '@wardline/format/names.ts';
import { invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { HandoverDeps } from './deps.ts';

interface Wanted {
  readonly chatId: string;
  readonly userId: string;
}

/** What can be said of a chat because it stands in it, the gravest first. */
export async function listSuggestions(
  deps: HandoverDeps,
  db: RequestContext['db'] | Transaction,
  wanted: Wanted,
): Promise<HandoverSuggestion[]> {
  return (await readSuggestions(deps, db, { ...wanted, ids: [] })).suggestions;
}

/**
 * The lines of a sheet with where each stands in the chat. One that quotes must say what stands there now (422, at the line): a sheet
 * claims nothing that the chat does not say. What its writer changed is theirs, and keeps the way to where it came from.
 */
export async function checkLines(
  deps: HandoverDeps,
  tx: Transaction,
  { lines, ...wanted }: Wanted & Pick<HandoverSheetInput, 'lines'>,
): Promise<HandoverLine[]> {
  const ids = [...new Set(lines.flatMap(({ source }) => source?.id ?? []))];
  const { suggestions, named } = await readSuggestions(deps, tx, { ...wanted, ids });
  const sources = new Map([...named, ...suggestions.map(({ source }) => source)].map((source) => [source.id, source]));
  return lines.map(({ section, text, source, is_quoted = false }, index) => {
    const field = `sheet.lines.${index}`;
    if (!source) {
      if (is_quoted) throw invalidField(field, 'It is not said where this stands in the chat.');
      return { section, text, source: null, is_quoted };
    }
    const found = sources.get(source.id);
    if (found?.kind !== source.kind) throw invalidField(field, 'Where you took this from is not in the chat any more.');
    if (
      is_quoted &&
      !suggestions.some((suggestion) => suggestion.source.id === source.id && suggestion.text === text)
    ) {
      throw invalidField(field, 'The chat says something else by now. Update this line, or say it in your own words.');
    }
    return { section, text, source: found, is_quoted };
  });
}

async function readSuggestions(
  { handovers, examinationSuggestions }: HandoverDeps,
  db: RequestContext['db'] | Transaction,
  { chatId, userId, ids }: Wanted & { readonly ids: readonly string[] },
) {
  const examinations = await examinationSuggestions(db, { chatId, ids });
  const { urgent, pinned, latest, named } = await handovers.notableMessages(db, { chatId, userId, ids });
  const told = new Set<string>();
  const once = ({ id }: Message) => !told.has(id) && told.add(id) !== undefined;
  const of = (kind: 'urgent' | 'pin' | 'message', messages: readonly Message[]) =>
    messages.filter(once).flatMap((message) => suggestionOf(kind, message));
  // In this order: what is urgent is told as that, wherever else it stands.
  const [calling, kept, last] = [of('urgent', urgent), of('pin', pinned), of('message', [...latest, ...named])];
  return {
    suggestions: [...calling, ...examinations.suggestions, ...kept, ...last],
    named: [...examinations.named, ...named.map(sourceOf)],
  };
}

function suggestionOf(kind: 'urgent' | 'pin' | 'message', message: Message): HandoverSuggestion[] {
  const files = message.attachments?.map(({ name }) => name) ?? [];
  const said = message.body || (files.length > 0 ? `File: ${files.join(', ')}` : '');
  if (said === '') return [];
  const text = `${kind === 'urgent' ? `${standing(message)}: ` : ''}${said}`.replace(/\s*\n\s*/g, ' · ').trim();
  return [{ kind, text: cut(text), source: sourceOf(message) }];
}

/** How an urgent message stands that is not over. */
function standing({ urgent }: Message): string {
  const what = urgent?.critical ? 'Critical result' : 'Urgent';
  const done = urgent?.critical ? 'read back' : 'acknowledged';
  const by = urgent?.people.filter(({ accepted_at }) => accepted_at !== null).map(({ name }) => name) ?? [];
  if (urgent?.state === 'accepted') return `${what}, ${done} by ${formatList(by)}, not done yet`;
  return urgent?.state === 'exhausted' ? `${what}, nobody has ${done} it` : `${what}, not ${done} yet`;
}

function sourceOf({ id, seq, sender, created_at }: Message): HandoverSuggestion['source'] {
  return { kind: 'message', id, seq, label: sender.name, at: created_at };
}

function cut(text: string): string {
  return text.length <= HANDOVER_LINE_MAX ? text : `${text.slice(0, HANDOVER_LINE_MAX - 1).toWellFormed()}…`;
}
