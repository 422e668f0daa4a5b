const crawlers = /bot\b|chrome-lighthouse|facebookexternalhit|google\b/i;

/** SHELL-4: a crawler is shown no error page; the error is only logged. */
export function isCrawler(userAgent: string): boolean {
  return crawlers.test(userAgent);
}
