/** Where somebody's own picture is, as replies state it; null for somebody without one. Who may see it is asked there. */
export function avatarUrl(key: string | null): string | null {
  return key === null ? null : `/storage/avatars/${key}`;
}
