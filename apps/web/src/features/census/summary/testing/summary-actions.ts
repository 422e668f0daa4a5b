import { fireEvent, screen, within } from '@testing-library/react';

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
export const ready = () => screen.findByRole('heading', { name: /units in/ });
export const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
