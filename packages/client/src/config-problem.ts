/** A configuration that cannot work; its message has a line or two for every wrong value (CFG-1). */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
}
