import { counted } from '@wardline/format/counts.ts';
import type { Device } from '#/shared/contexts/device-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';

/** What a sign-out deletes, in words for a question about it. */
export interface Lost {
  readonly title: string;
  readonly text: string;
}

const { sheet, synthesis, examination, form } = typedNames;
const TYPED = [
  { begin: [sheet(''), synthesis('')], what: 'hand-over', is: 'signed' },
  { begin: [examination('')], what: 'examination', is: 'saved' },
  { begin: [form('')], what: 'form', is: 'saved' },
];

/** What was typed and is on this device alone; what goes with work that waits is kept with it. */
export async function typedOnlyHere({ store }: Pick<Device, 'store'>): Promise<Lost[]> {
  const lanes = new Set((await store.outbox()).map(({ lane }) => lane));
  const lost: Lost[] = [];
  for (const { begin, what, is } of TYPED) {
    const kept = await Promise.all(begin.map((prefix) => store.metaWithPrefix(prefix)));
    const count = kept.flatMap((rows) => [...rows.keys()]).filter((name) => !lanes.has(name)).length;
    if (count === 0) continue;
    lost.push({
      title: `${counted(count, what)} ${count === 1 ? 'is' : 'are'} not ${is}`,
      text: `What you wrote in ${counted(count, what)} is only on this device, and signing out deletes it.`,
    });
  }
  return lost;
}
