import type { MessageAct } from '@wardline/contract/chat.ts';
import type { Facility } from '@wardline/contract/facilities.ts';
import type { ReactNode } from 'react';
import { CensusAlertAct } from '#/features/census/index.ts';

type Act = (props: { readonly id: string; readonly facility: Facility }) => ReactNode;

/** Which feature offers what a line of a chat carries; the chat itself knows none of them. */
const ACTS: Readonly<Record<MessageAct['kind'], Act>> = { 'census.alert': CensusAlertAct };

/** What can be done from a line of a chat, by the feature whose business it is. */
export function MessageActs({ kind, ...about }: MessageAct & { readonly facility: Facility }) {
  const Act = ACTS[kind];
  return <Act {...about} />;
}
