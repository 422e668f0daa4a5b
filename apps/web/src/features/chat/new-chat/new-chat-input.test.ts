import { createChat } from '@wardline/contract/chat/chat-management.ts';
import { describe, expect, it } from 'vitest';
import { stBrigid } from '#/testing/fake-chats.ts';
import { createChatBody, errorFor, type NewChatForm, whatIsMissing } from './new-chat-input.ts';

const clientId = '01970000-0000-7000-8000-000000000001';
const form: NewChatForm = {
  facilityId: stBrigid.id,
  kind: 'case',
  title: '',
  patientName: ' Iris Vale ',
  identifier: '77-1',
  bornOn: '',
  bed: ' ',
  people: [{ user_id: clientId, name: 'Leila Haddad', title: null, roles: [] }],
};

describe('a new chat', () => {
  it.each([
    form,
    { ...form, bornOn: '1948-03-14', bed: '3A-12' },
    { ...form, kind: 'group', title: 'Night team' } as const,
    { ...form, kind: 'announcement', title: 'Fire test' } as const,
  ])('is a body the contract takes', (filled) => {
    expect(createChat.body.safeParse(createChatBody(filled, clientId)).success).toBe(true);
  });

  it('needs a second identifier for a patient; a bed is not one', () => {
    expect(whatIsMissing({ ...form, identifier: ' ', bed: '3A-12' })).toEqual({
      identifier: 'Enter an MRN or other ID. A bed number is not an identifier.',
    });
    expect(whatIsMissing(form)).toEqual({});
    expect(whatIsMissing({ ...form, kind: 'group' })).toEqual({ title: 'Enter a title.' });
  });

  it('shows the server’s errors at their fields, and the rest above them', () => {
    expect(
      errorFor({ 'patient.identifier': ['At most 60 characters.'], participant_ids: ['Not a member.'] }, 'x'),
    ).toEqual({
      identifier: 'At most 60 characters.',
      general: 'Not a member.',
    });
    expect(errorFor({}, 'The server could not be reached.')).toEqual({ general: 'The server could not be reached.' });
  });
});
