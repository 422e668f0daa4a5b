/** The key that goes with a letter for a command: ⌘ on Apple's devices, Ctrl elsewhere. */
export function commandKey(platform: string = navigator.userAgent): 'Ctrl' | '⌘' {
  return /Mac|iPhone|iPad/.test(platform) ? '⌘' : 'Ctrl';
}
