const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '{id}': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '{hash}': '[\\w.~-]{20,255}',
};

/** One expression for the paths of all these pages, `{id}` and `{hash}` in place of a part of that form. */
export function pagePattern(paths: readonly string[]): RegExp {
  const patterns = paths.map((path) =>
    path
      .split(/(\{\w+\})/)
      .map((part) => PLACEHOLDERS[part] ?? part.replace(/[^\w/-]/g, '\\$&'))
      .join(''),
  );
  return new RegExp(`^(?:${patterns.join('|')})$`);
}
