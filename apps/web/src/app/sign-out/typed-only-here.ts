import { counted } from '@wardline/format/counts.ts';
import type { Device } from '#/shared/contexts/device-context.ts';

/** What a sign-out deletes, in words for a question about it. */
export interface Lost {
  readonly title: string;
  readonly text: string;
}

const TYPED = [
  { prefix: 'handover/', what: 'hand-over', is: 'signed' },
  { prefix: 'examination/', what: 'examination', is: 'saved' },
] as const;

/** What was typed into hand-overs and examinations and is on this device alone; what goes with work that waits is kept with it. */
export async function typedOnlyHere({ store }: Pick<Device, 'store'>): Promise<Lost[]> {
  const lanes = new Set((await store.outbox()).map(({ lane }) => lane));
  const lost: Lost[] = [];
  for (const { prefix, what, is } of TYPED) {
    const count = [...(await store.metaWithPrefix(prefix)).keys()].filter((name) => !lanes.has(name)).length;
    if (count === 0) continue;
    lost.push({
      title: `${counted(count, what)} ${count === 1 ? 'is' : 'are'} not ${is}`,
      text: `What you wrote in ${counted(count, what)} is only on this device, and signing out deletes it.`,
    });
  }
  return lost;
}
