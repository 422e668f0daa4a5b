import { REACTION_CODES, type Reaction, type ReactionCode } from '@wardline/contract/chat/chat.ts';
import {
  CircleCheck,
  CircleQuestionMark,
  Eye,
  Footprints,
  HeartHandshake,
  type LucideIcon,
  ThumbsUp,
} from 'lucide-react';

/** Each reaction as a glyph and a word: neither stands alone. */
export const reactionLabels: Readonly<Record<ReactionCode, { readonly word: string; readonly icon: LucideIcon }>> = {
  seen: { word: 'Seen', icon: Eye },
  on_my_way: { word: 'On my way', icon: Footprints },
  done: { word: 'Done', icon: CircleCheck },
  agree: { word: 'Agree', icon: ThumbsUp },
  thanks: { word: 'Thanks', icon: HeartHandshake },
  question: { word: 'Question', icon: CircleQuestionMark },
};

/** The reactions of one code on a message. */
export interface ReactionGroup {
  readonly code: ReactionCode;
  readonly isMine: boolean;
  /** Who gave it; me as 'you', first. */
  readonly names: readonly string[];
}

/** In the order of the codes; what this client does not know is left out. */
export function groupReactions(reactions: readonly Reaction[], myId: string): readonly ReactionGroup[] {
  return REACTION_CODES.flatMap((code) => {
    const given = reactions.filter((reaction) => reaction.code === code);
    if (given.length === 0) return [];
    const others = given.filter(({ user_id }) => user_id !== myId).map(({ name }) => name);
    const isMine = others.length < given.length;
    return [{ code, isMine, names: isMine ? ['you', ...others] : others }];
  });
}

/** Names as a person says them: 'you and Ana Reyes', 'Ana Reyes, Mira Okafor and 3 others'. */
export function formatNames(names: readonly string[]): string {
  const [first = '', second, ...rest] = names;
  if (second === undefined) return first;
  if (rest.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${rest.length === 1 ? rest[0] : `${rest.length} others`}`;
}
