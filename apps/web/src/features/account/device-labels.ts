/** A pattern, and what it is called; the first that fits counts. */
type Names = readonly (readonly [RegExp, string])[];

// Edge, Opera and Samsung call themselves Chrome too, Chrome calls itself Safari.
const browsers: Names = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: Names = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(Macintosh|Mac OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** What a browser said of itself, in words: 'Chrome on Windows'. */
export function formatDevice(userAgent: string | null): string {
  const browser = nameOf(browsers, userAgent);
  const system = nameOf(systems, userAgent);
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  if (system !== null) return `A browser on ${system}`;
  return browser ?? 'An unknown browser';
}

/** Whether it is held in the hand. */
export function isHandheld(userAgent: string | null): boolean {
  return /\b(Android|iPhone|iPad|Mobile)\b/.test(userAgent ?? '');
}

function nameOf(names: Names, userAgent: string | null): string | null {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null;
}
