/** What is hashed or waits on a device keeps the names that it was stored with; these are theirs, and what each is called now. */
const PRESENT: Readonly<Record<string, string>> = {
  class: 'population',
  classes: 'populations',
  thread_chat_id: 'discussion_chat_id',
};
const STORED = Object.fromEntries(Object.entries(PRESENT).map(([stored, present]) => [present, stored]));
/** The names of fields that hold populations, and what a population was called. */
const OF_POPULATIONS = new Set(['class', 'classes', 'population', 'populations']);
const PRESENT_POPULATION: Readonly<Record<string, string>> = { adult_child: 'adult_and_child' };
const STORED_POPULATION: Readonly<Record<string, string>> = { adult_and_child: 'adult_child' };

/** A JSON value that was stored, by any build, with the names that are used now. */
export function toPresentNames<Value>(stored: Value): Value {
  return renamed(stored, PRESENT, PRESENT_POPULATION) as Value;
}

/** A JSON value with the names under which it is stored, so that the same content has the same bytes in every build. */
export function toStoredNames<Value>(present: Value): Value {
  return renamed(present, STORED, STORED_POPULATION) as Value;
}

/** What a population is called where it is stored. */
export function storedPopulation(population: string | null): string | null {
  return population === null ? null : (STORED_POPULATION[population] ?? population);
}

type Names = Readonly<Record<string, string>>;

function renamed(value: unknown, fields: Names, populations: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, fields, populations));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = fields[key] ?? key;
      return [
        name,
        OF_POPULATIONS.has(key) ? namedPopulation(inner, populations) : renamed(inner, fields, populations),
      ];
    }),
  );
}

function namedPopulation(value: unknown, populations: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => namedPopulation(item, populations));
  return typeof value === 'string' ? (populations[value] ?? value) : value;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
