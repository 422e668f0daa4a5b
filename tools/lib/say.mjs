const colour = (code) => (text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = colour(1);
export const red = colour(31);
export const green = colour(32);
export const yellow = colour(33);

export const say = (text) => process.stdout.write(`${text}\n`);

/** Ends the tool with a sentence instead of a stack. */
export function fail(text) {
  process.stderr.write(`${red('error')} ${text}\n`);
  process.exit(1);
}
