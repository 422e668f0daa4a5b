import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' });
export const fill = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
export const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
export const part = (name: string) => within(screen.getByRole('region', { name }));
export const saved = (name: string) => waitFor(() => expect(part(name).getByText('Saved.')).toBeTruthy());

export const dialogNamed = async (name: string) => within(await screen.findByRole('dialog', { name }));
