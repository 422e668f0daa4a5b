/** The pages of one's own account, and of the system administration, which need no facility. */
export function isAccountPage(path: string): boolean {
  return ['/settings', '/verify-email', '/settings/system'].includes(path);
}
