import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#/testing/nightly.ts';
import { createGroupCommit, type GroupCommitLimits, type GroupCommitOptions } from './group-commit.ts';

interface Item {
  readonly sender: string;
  readonly clientId: number;
  readonly bytes: number;
  /** Makes the batch fail that it is in. */
  readonly isPoison: boolean;
}
/** The seq under which it is stored. */
type Outcome = number;
type Options = GroupCommitOptions<Item, Outcome>;

const POISON = new Error('this one cannot be stored');
const DOWN = new Error('the database is away');
const limits: GroupCommitLimits = { batchItems: 4, batchBytes: 100, waitingItems: 1_000, waitingBytes: 1e6, atOnce: 2 };

const item = (sender: string, clientId: number, rest: Partial<Item> = {}): Item => ({
  ...{ sender, clientId, bytes: 1, isPoison: false },
  ...rest,
});
const nameOf = ({ sender, clientId }: Item) => `${sender}${clientId}`;
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** A store whose batches end when the test says so: stored under the next seqs of their key, all of them or none. */
function openStore(given: Partial<Options> = {}) {
  const stored = new Map<string, Item[]>();
  const underWay: { key: string; items: readonly Item[]; end: (error?: Error) => void }[] = [];
  const batches: string[] = [];
  const most = { atOnce: 0, ofOneKey: 0, twins: 0 };
  const options: Options = {
    store(key, items) {
      batches.push(`${key}: ${items.map(nameOf).join(' ')}`);
      return new Promise((resolve, reject) => {
        const batch = {
          key,
          items,
          end(error?: Error) {
            underWay.splice(underWay.indexOf(batch), 1);
            if (error) reject(error);
            else if (items.some(({ isPoison }) => isPoison)) reject(POISON);
            else resolve(items.map((one) => seqOf(key, one)));
          },
        };
        underWay.push(batch);
        most.atOnce = Math.max(most.atOnce, underWay.length);
        most.ofOneKey = Math.max(most.ofOneKey, underWay.filter((other) => other.key === key).length);
        most.twins = Math.max(most.twins, items.length - new Set(items.map(nameOf)).size);
      });
    },
    identityOf: nameOf,
    bytesOf: ({ bytes }) => bytes,
    isOwnFault: (error) => error === POISON,
    limits,
    ...given,
  };
  function seqOf(key: string, one: Item): number {
    const row = stored.get(key) ?? [];
    stored.set(key, row);
    const known = row.findIndex((other) => nameOf(other) === nameOf(one));
    return known === -1 ? row.push(one) : known + 1;
  }
  return { options, stored, underWay, batches, most };
}

async function endAll({ underWay }: ReturnType<typeof openStore>): Promise<void> {
  for (await settle(); underWay.length > 0; await settle()) underWay[0]?.end();
}

test('CHAT-1 the first goes at once, alone; those that come meanwhile go together, in the order they came', async () => {
  const store = openStore();
  const { add } = createGroupCommit(store.options);
  const answers = ['a', 'b', 'c'].map((sender) => add('chat', item(sender, 1)));
  expect(store.batches).toEqual(['chat: a1']);
  await endAll(store);
  expect(store.batches).toEqual(['chat: a1', 'chat: b1 c1']);
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
});

test('CHAT-1 the next batch is with the store before the last is told: one is stored while the other is answered', async () => {
  const store = openStore();
  const { add } = createGroupCommit(store.options);
  const batchesWhenTold: number[] = [];
  const answers = ['a', 'b'].map((sender) =>
    add('chat', item(sender, 1)).then(() => batchesWhenTold.push(store.batches.length)),
  );
  await endAll(store);
  await Promise.all(answers);
  expect(batchesWhenTold).toEqual([2, 2]);
});

test('CHAT-1 of a batch that failed each is stored alone and told while the next is stored; what fails alone holds up nobody', async () => {
  const store = openStore();
  const { add } = createGroupCommit(store.options);
  const told: string[] = [];
  const answers = ['a', 'b', 'c', 'd'].map((sender) => {
    const tell = (answer: unknown) => told.push(`${sender}: ${answer instanceof Error ? 'failed' : answer}`);
    return add('chat', item(sender, 1, { isPoison: sender === 'c' })).then(tell, tell);
  });
  const end = async () => {
    store.underWay[0]?.end();
    await settle();
    return told.splice(0);
  };
  expect(await end()).toEqual(['a: 1']);
  expect([await end(), await end(), await end(), await end()]).toEqual([[], ['b: 2'], ['c: failed'], ['d: 3']]);
  expect(store.batches).toEqual(['chat: a1', 'chat: b1 c1 d1', 'chat: b1', 'chat: c1', 'chat: d1']);
  await Promise.all(answers);
});

test.each([
  ['items', [1, 1, 1, 1, 1, 1], ['chat: a1', 'chat: b1 c1 d1 e1', 'chat: f1']],
  ['bytes', [1, 60, 40, 1], ['chat: a1', 'chat: b1 c1', 'chat: d1']],
  ['bytes, but for one that is larger by itself', [1, 500, 1], ['chat: a1', 'chat: b1', 'chat: c1']],
])('A43 a batch is no larger than its limit of %s', async (_what, sizes, batches) => {
  const store = openStore();
  const { add } = createGroupCommit(store.options);
  const answers = sizes.map((bytes, index) => add('chat', item('abcdef'[index] ?? '', 1, { bytes })));
  await endAll(store);
  await Promise.all(answers);
  expect(store.batches).toEqual(batches);
});

test('A47 a repeat never shares a batch with what it repeats, and finds what became of it', async () => {
  const store = openStore();
  const { add } = createGroupCommit(store.options);
  const answers = ['a', 'b', 'b', 'c'].map((sender) => add('chat', item(sender, 1)));
  await endAll(store);
  expect(store.batches).toEqual(['chat: a1', 'chat: b1', 'chat: b1 c1']);
  expect(await Promise.all(answers)).toEqual([1, 2, 2, 3]);
});

test('A43 past what may wait the next one is turned away with 503, and taken again when there is room', async () => {
  const store = openStore({ limits: { ...limits, waitingItems: 3, waitingBytes: 50 } });
  const { add } = createGroupCommit(store.options);
  const first = add('chat', item('a', 1));
  const large = add('chat', item('b', 1, { bytes: 50 }));
  await expect(add('chat', item('c', 1))).rejects.toMatchObject({ status: 503, retryAfterS: 1 });
  await endAll(store);
  const waiting = [add('chat', item('c', 1)), add('chat', item('d', 1)), add('chat', item('e', 1))];
  waiting.push(add('chat', item('f', 1)));
  await expect(add('other', item('g', 1))).rejects.toMatchObject({ status: 503 });
  await endAll(store);
  expect(await Promise.all([first, large, ...waiting])).toEqual([1, 2, 3, 4, 5, 6]);
});

test('A43 a busy key waits for its turn behind the others', async () => {
  const store = openStore({ limits: { ...limits, atOnce: 1, batchItems: 2 } });
  const { add } = createGroupCommit(store.options);
  const answers = [1, 2, 3, 4, 5, 6, 7].map((clientId) => add('busy', item('a', clientId)));
  answers.push(add('calm', item('b', 1)), add('other', item('c', 1)));
  await endAll(store);
  await Promise.all(answers);
  expect(store.batches).toEqual(['busy: a1', 'calm: b1', 'other: c1', 'busy: a2 a3', 'busy: a4 a5', 'busy: a6 a7']);
});

interface Step {
  readonly do: 'add' | 'end' | 'down';
  readonly chat: number;
  readonly sender: number;
  readonly clientId: number;
  readonly bytes: number;
  readonly isPoison: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('add', 'add', 'add', 'add', 'end', 'end', 'down'),
  chat: fc.nat(2),
  sender: fc.nat(3),
  clientId: fc.nat(5),
  bytes: fc.integer({ min: 1, max: 60 }),
  isPoison: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

interface Asked {
  readonly chat: string;
  readonly one: Item;
  answer: Outcome | Error | null;
}

/** Sends in any interleaving with the ends of batches; then all that is promised must hold. */
async function assertModel(steps: readonly Step[], given: (options: Options) => Options): Promise<void> {
  const store = openStore();
  const { add } = createGroupCommit(given(store.options));
  const asked: Asked[] = [];
  /** Whose batch met a database that was away. */
  const away = new Set<Item>();
  const acts = {
    add({ chat, sender, clientId, ...rest }: Step) {
      const one = item('abcd'[sender] ?? '', clientId, { ...rest, isPoison: rest.isPoison && clientId === 5 });
      const entry: Asked = { chat: `chat${chat}`, one, answer: null };
      asked.push(entry);
      const tell = (answer: Outcome | Error) => Object.assign(entry, { answer });
      add(entry.chat, one).then(tell, tell);
    },
    end: ({ chat }: Step) => store.underWay[chat % store.underWay.length]?.end(),
    down({ chat }: Step) {
      const batch = store.underWay[chat % store.underWay.length];
      for (const one of batch?.items ?? []) away.add(one);
      batch?.end(DOWN);
    },
  };
  for (const one of steps) {
    acts[one.do](one);
    await settle();
  }
  await endAll(store);
  expect(store.most.atOnce).toBeLessThanOrEqual(limits.atOnce);
  expect([store.most.ofOneKey, store.most.twins]).toEqual([Math.min(1, asked.length), 0]);
  for (const entry of asked) assertAnswer(entry, { stored: store.stored.get(entry.chat) ?? [], away });
  for (const [chat, rows] of store.stored) {
    expect(new Set(rows.map(nameOf)).size).toBe(rows.length);
    // One order: that of the first call that was answered with it.
    const told = asked.filter((entry) => entry.chat === chat && typeof entry.answer === 'number');
    const inOrder = [...new Set(told.map(({ one }) => nameOf(one)))];
    expect(rows.map(nameOf).filter((name) => inOrder.includes(name))).toEqual(inOrder);
  }
}

/** Each is told where it is stored, or its own error: of its own making, or of a database that was away. */
function assertAnswer(
  { one, answer }: Asked,
  { stored, away }: { readonly stored: readonly Item[]; readonly away: ReadonlySet<Item> },
): void {
  if (answer === POISON) expect(one.isPoison).toBe(true);
  else if (answer === DOWN) expect(away.has(one)).toBe(true);
  else expect(stored.map(nameOf)[Number(answer) - 1]).toBe(nameOf(one));
}

const property = (given: (options: Options) => Options) =>
  fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), (steps) => assertModel(steps, given));

test('CHAT-1 CHAT-2 nothing is lost, doubled or out of order, and nobody is told what is another’s, whatever comes when', async () => {
  await fc.assert(
    property((options) => options),
    { numRuns: runs(200) },
  );
});

const planted: [what: string, plant: (options: Options) => Options][] = [
  [
    'a batch is stored in another order',
    (o) => ({ ...o, store: async (k, items) => (await o.store(k, items.toReversed())).toReversed() }),
  ],
  [
    'outcomes are handed to the wrong senders',
    (o) => ({ ...o, store: async (k, items) => (await o.store(k, items)).toReversed() }),
  ],
  [
    'the last of a batch is told that it is stored and is not',
    (o) => ({
      ...o,
      store: async (k, items) =>
        items.length > 1 ? [...(await o.store(k, items.slice(0, -1))), 1] : o.store(k, items),
    }),
  ],
  ['a failing one takes the others with it', (o) => ({ ...o, isOwnFault: () => false })],
  ['twins go together', (o) => ({ ...o, identityOf: ({ clientId }) => `${clientId} ${Math.random()}` })],
  ['the limit of batches under way is passed', (o) => ({ ...o, limits: { ...o.limits, atOnce: 3 } })],
];

test.each(planted)('the property finds it when %s', async (_what, plant) => {
  const outcome = await fc.check(property(plant), { numRuns: 300, endOnFailure: true });
  expect(outcome.failed).toBe(true);
});
