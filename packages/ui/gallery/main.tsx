import '@fontsource-variable/inter/wght.css';
import '../src/tokens.css';
import '../src/kit.css';
import './gallery.css';
import { createRoot } from 'react-dom/client';
import { applyMode } from '#/colour-mode/colour-mode.ts';
import { specimens } from './all-specimens.ts';
import { Gallery } from './gallery.tsx';
import { caseName } from './specimen.ts';

const asked = new URLSearchParams(window.location.search);
const mode = asked.get('mode') === 'dark' ? 'dark' : 'light';
applyMode(document.documentElement, mode);

const only = asked.get('only');
const cases = specimens.flatMap((specimen) =>
  specimen.cases.map((one, index) => ({ ...one, key: caseName(specimen, index) })),
);
const alone = cases.find(({ key }) => key === only);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
if (alone) document.title = `${alone.name} - Kit - Wardline`;
createRoot(root).render(alone ? <alone.Show /> : <Gallery specimens={specimens} mode={mode} />);
