/** The pages of one's own account, which need no facility. */
export function isAccountPage(path: string): boolean {
  return path === '/settings' || path === '/verify-email';
}
