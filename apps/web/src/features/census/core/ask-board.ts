import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { getCensusBoard } from '@wardline/contract/census/board.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import * as z from 'zod/mini';
import { askAndKeep, askOrRead } from './kept-copy.ts';

export type Board = ReplyOf<typeof getCensusBoard>;

/** A board as this device keeps it, and when the server told it. */
const KeptBoard = z.object({ seen_at: z.number(), board: getCensusBoard.reply });
export type KeptBoard = z.infer<typeof KeptBoard>;

export const boardName = (facilityId: string) => `census/board/${facilityId}`;

interface AskBoard {
  readonly call: Call;
  readonly store: DeviceStore;
  readonly facilityId: string;
  readonly signal: AbortSignal;
}

const options = ({ call, store, facilityId, signal }: AskBoard) => ({
  store,
  name: boardName(facilityId),
  ask: async (): Promise<KeptBoard> => ({
    board: await call(getCensusBoard, { params: { facility: facilityId }, signal }),
    seen_at: Date.now(),
  }),
});

/** The board as the server tells it now; kept on the person's own device. */
export async function askBoard(asking: AskBoard): Promise<Board> {
  return (await askAndKeep(options(asking))).board;
}

/** The same; without a network the one before. */
export async function askOrReadBoard(asking: AskBoard): Promise<Board> {
  return (await askOrRead({ ...options(asking), shape: KeptBoard })).value.board;
}

/** The board that this device keeps of a facility. */
export async function readKeptBoard(store: DeviceStore, facilityId: string): Promise<KeptBoard | null> {
  const kept = z.safeParse(KeptBoard, toPresentNames(await store.meta(boardName(facilityId)).catch(() => undefined)));
  return kept.success ? kept.data : null;
}
