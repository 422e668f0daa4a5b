// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { deleteRole, getRoleUse, type RoleUse } from '@wardline/contract/facilities/facility-settings.ts';
import { listDeletedMembers } from '@wardline/contract/facilities/members.ts';
import { describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, anaUser, stBrigid } from '#/testing/fake-chats.ts';
import { DeletedMembers } from './deleted-members.tsx';
import { RemoveRoleDialog } from './remove-role-dialog.tsx';

const facility: Facility = { ...stBrigid, permissions: ['members.manage'] };
const role = { id: '01970000-0000-7000-8000-0000000000a1', name: 'Charge nurse', permissions: ['chats.create'] };
const clinician = { ...role, id: '01970000-0000-7000-8000-0000000000a2', name: 'Clinician' };
const auditor = { id: '01970000-0000-7000-8000-0000000000a3', name: 'Auditor', permissions: ['audit.view'] };
const unused: RoleUse = { holders: [], holder_count: 0, invitations: [], invitation_count: 0, groups: [] };

function open(use: Partial<RoleUse> = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const sent: unknown[] = [];
  app.api.on(getRoleUse, () => ({ ...unused, ...use }));
  app.api.on(deleteRole, ({ body }) => {
    sent.push(body);
    return undefined;
  });
  const [onOwnChange, onClose] = [vi.fn(async () => undefined), vi.fn()];
  const roles = [role, clinician, auditor];
  app.draw(<RemoveRoleDialog {...{ facility, role, roles, onOwnChange, onClose }} />);
  return { ...app, sent, onClose };
}

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Remove role' });

describe('PERM-2 removing a role', () => {
  it('PERM-2 says who has it and asks what they get instead, of what one can give, before it is offered', async () => {
    const { sent, onClose } = open({
      ...{ holders: [{ user_id: ana.id, name: 'Ana Reyes' }], holder_count: 3 },
      ...{ invitations: [{ id: role.id, note: 'For Kim', title: null }], invitation_count: 1 },
      groups: [{ provider: 'Hospital account', group: 'ward-nurses' }],
    });
    await screen.findByText('3 people have it: Ana Reyes and 2 others.');
    screen.getByText(/^1 open invitation loses it \(For Kim\)/);
    screen.getByText(/^The group ward-nurses of Hospital account/);
    expect(button().disabled).toBe(true);
    const select = screen.getByLabelText<HTMLSelectElement>('They get instead');
    expect([...select.options].map(({ text }) => text)).toEqual(['Choose', 'Clinician', 'No other role']);
    fireEvent.change(select, { target: { value: clinician.id } });
    fireEvent.click(button());
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ replacement: clinician.id }]);
  });

  it('PERM-2 asks nothing where no one has it', async () => {
    const { sent, onClose } = open();
    await screen.findByText('No one has it.');
    expect(screen.queryByLabelText('They get instead')).toBeNull();
    fireEvent.click(button());
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ replacement: null }]);
  });

  it('PERM-2 stays open and says why it was refused', async () => {
    const { refuse, onClose } = open();
    await screen.findByText('No one has it.');
    refuse(409, { message: 'Nobody could manage the members any more.' });
    fireEvent.click(button());
    await screen.findByText('Nobody could manage the members any more.');
    expect(onClose).not.toHaveBeenCalled();
  });
});

it('ACC-5 the people who deleted their account are listed with what they were', async () => {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const gone = { user_id: ana.id, name: 'Ana Reyes (account deleted)', title: 'Nurse', roles: ['Charge nurse'] };
  app.api.on(listDeletedMembers, () => ({
    data: [{ ...gone, deleted_at: '2026-11-18T10:00:00.000Z' }],
    next_cursor: null,
  }));
  app.draw(<DeletedMembers facility={facility} onClose={() => undefined} />);
  const row = await screen.findByText('Ana Reyes (account deleted)');
  expect(row.closest('li')?.textContent).toMatch(/18 Nov · Nurse · Charge nurse$/);
});
