import * as z from 'zod/mini';
import type { Move, Rosters } from '#/platform/realtime/channels/rosters.ts';
import type { Bus } from './bus.ts';

/** Less than what Redis holds back for a slow listener, and little enough for one turn of the loop. */
const PIECE_BYTES = 64 * 1024;
/** Between two pieces, so that a large roster keeps nothing else waiting. */
const PIECE_EVERY_MS = 10;

const Moves = z.array(
  z.union([
    z.strictObject({ channel: z.string(), id: z.string(), hasLeft: z.literal(true) }),
    z.strictObject({ channel: z.string(), id: z.string(), info: z.unknown() }),
  ]),
);

/** The rosters of one gateway, as far as other servers tell and hear of them. */
export type SharedRosters = Pick<Rosters, 'onMoved' | 'here' | 'knows' | 'begin' | 'hear' | 'forget'>;

/**
 * Lets each server know the members at all others. Whoever hears a beat of a server that it knows nothing of asks it; that one begins
 * to tell who is there, in pieces, and who comes and goes as it happens. What it told is forgotten when a word of it was missed or it
 * has gone, so whatever is lost ends with asking anew.
 */
export function shareRosters(gateway: 'product' | 'app', rosters: SharedRosters, bus: Bus): void {
  let moves: Move[] = [];
  let nextPiece: NodeJS.Timeout | undefined;

  const tell = (piece: string, isFirst?: true) =>
    bus.tell({ kind: 'members', gateway, ...(isFirst && { isFirst }) }, Buffer.from(piece));

  /** Those of one turn together, as when a full ward loses its sockets. */
  function tellMoves(): void {
    const pieces = inPieces(moves);
    moves = [];
    for (const piece of pieces) tell(piece);
  }

  /** From the beginning, whoever it was told to so far: a server that knows all of it takes it once more. */
  function tellAll(): void {
    clearTimeout(nextPiece);
    tell('[]', true);
    const pieces = inPieces(rosters.here());
    const tellNext = () => {
      const { value, done } = pieces.next();
      if (done) return;
      tell(value);
      nextPiece = setTimeout(tellNext, PIECE_EVERY_MS).unref();
    };
    tellNext();
  }

  rosters.onMoved((move) => {
    if (moves.length === 0) queueMicrotask(tellMoves);
    moves.push(move);
  });
  bus.onLost((node) => rosters.forget(node));
  bus.onTold((told, bytes, from) => {
    if (told.kind === 'beat' && !rosters.knows(from)) bus.tell({ kind: 'members wanted', gateway, of: from });
    if (told.kind === 'members wanted' && told.gateway === gateway && told.of === bus.node) tellAll();
    if (told.kind !== 'members' || told.gateway !== gateway) return;
    if (told.isFirst) rosters.begin(from);
    for (const move of Moves.safeParse(JSON.parse(bytes.toString())).data ?? []) rosters.hear(from, move);
  });
}

/** As JSON. A piece is read to its end before the next is begun: what is told later is as it is then. */
function* inPieces(moves: Iterable<Move>): Generator<string> {
  let piece: string[] = [];
  let bytes = 0;
  for (const move of moves) {
    const text = JSON.stringify(move);
    piece.push(text);
    bytes += Buffer.byteLength(text);
    if (bytes < PIECE_BYTES) continue;
    yield `[${piece.join(',')}]`;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield `[${piece.join(',')}]`;
}
