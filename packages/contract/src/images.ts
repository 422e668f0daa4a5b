/** Of avatars, of small pictures, and of pages as wide as a breakpoint. */
const ON_SCREEN = [
  16, 20, 24, 28, 32, 36, 40, 44, 48, 64, 72, 80, 88, 96, 128, 256, 320, 512, 640, 768, 1024, 1280, 1536,
];

/**
 * The widths and heights in pixels that the image proxy makes, ascending: each that a page draws, for screens of one and
 * of two dots per pixel. A closed list, so that nobody can ask for a million variants of one picture.
 */
export const IMAGE_SIDES: readonly number[] = [...new Set(ON_SCREEN.flatMap((side) => [side, 2 * side]))].sort(
  (a, b) => a - b,
);
