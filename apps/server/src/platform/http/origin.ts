/**
 * True for the installation's own origin: the configured one, else the origin under which the request itself came.
 * `null`, other schemes, other ports and look-alike hosts are foreign.
 */
export function isAllowedOrigin(
  origin: string,
  { host, publicUrl }: { host: string | undefined; publicUrl: string | null },
): boolean {
  if (publicUrl !== null) return origin === publicUrl;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
