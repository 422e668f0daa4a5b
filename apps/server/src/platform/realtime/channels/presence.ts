export type Member = { id: string; info: unknown };

/** Somebody in a presence channel, and since when (milliseconds since 1970). */
export type Present = { readonly id: string; readonly since: number };

export type Roster = { count: number; ids: string[]; hash: Record<string, unknown> };

/** Reads signed channel data, `{user_id, user_info?}`; null if it is none or its info is over `maxInfoBytes`. */
export function readMember(channelData: string, maxInfoBytes: number): Member | null {
  const value = parseObject(channelData);
  if (value === null) return null;
  const id = toMemberId(value['user_id']);
  const info = value['user_info'] ?? {};
  if (id === null || Buffer.byteLength(JSON.stringify(info)) > maxInfoBytes) return null;
  return { id, info };
}

/** Reads signed user data, `{id, user_info?}`; the id must be text, as pusher-js wants it. */
export function readUser(userData: string): Member | null {
  const value = parseObject(userData);
  const id = value?.['id'];
  if (value === null || typeof id !== 'string' || toMemberId(id) === null) return null;
  return { id, info: value['user_info'] ?? {} };
}

function toMemberId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : value;
  return typeof id === 'string' && id.length > 0 && id.length <= 200 ? id : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
