/** The pages that everybody may read. What they say is data, handed to them by their routes. */
export { AboutScreen } from './about-screen.tsx';
export { ContactsScreen } from './contacts-screen.tsx';
export { LandingScreen } from './landing-screen.tsx';
export { loadContent } from './load-content.ts';
export { PublicLayout } from './public-layout.tsx';
