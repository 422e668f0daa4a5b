import { ConfigError } from '#/platform/config/read-config.ts';

/** What is wrong with the arguments of an operator's command, over how it is used. */
export class UsageError extends ConfigError {
  constructor(wrong: string, usage: string) {
    super(`${wrong}\n\n${usage}`);
  }
}

/** The verb of a command, of those that it has. Throws a UsageError that names another, or that there is none. */
export function readVerb<Verb extends string>(given: string | undefined, verbs: readonly Verb[], usage: string): Verb {
  const verb = verbs.find((known) => known === given);
  if (verb !== undefined) return verb;
  throw new UsageError(given === undefined ? 'Say what to do.' : `There is no command '${given}'.`, usage);
}

/** Throws a UsageError where arguments are left over. */
export function refuseMore([more]: readonly string[], usage: string): void {
  if (more !== undefined) throw new UsageError(`'${more}' is not understood here.`, usage);
}
