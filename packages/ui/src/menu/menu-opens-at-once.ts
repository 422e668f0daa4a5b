import { createContext } from 'react';

/**
 * Whether the menus in it are open when they come: somebody pressed their button before their code was there. Apart from the
 * menu, whose code comes with it.
 */
export const MenuOpensAtOnce = createContext(false);
