import { colourMode } from '@wardline/ui/colour-mode/colour-mode.ts';

const pageColours = { light: '#f8fafc', dark: '#020618' } as const;

/** Starts following the system and the other tabs, and keeps the browser's own bar in the colour of the page. */
export function followColourMode(): void {
  const controller = colourMode();
  const paint = () => {
    const { preference, mode } = controller.get();
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const ofSystem = meta.media.includes('dark') ? pageColours.dark : pageColours.light;
      meta.content = preference === 'system' ? ofSystem : pageColours[mode];
    }
  };
  controller.subscribe(paint);
  paint();
}
