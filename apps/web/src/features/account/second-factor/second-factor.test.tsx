// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeRefusal } from '@wardline/client/testing/fake-api.ts';
import { endOtherSessions } from '@wardline/contract/account/account.ts';
import { beginPasskey, type Passkey, removePasskey, renamePasskey } from '@wardline/contract/account/passkeys.ts';
import {
  beginTwoFactor,
  confirmPassword,
  confirmTwoFactor,
  endTwoFactor,
  getTwoFactorQrCode,
  getTwoFactorSecret,
  renewRecoveryCodes,
} from '@wardline/contract/account/second-factor.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press, setUpSettings } from '../testing/fake-account.tsx';

const CODES = Array.from({ length: 10 }, (_, at) => `aaaa${at}-bbbbb`);
const KEY = 'JBSWY3DPEHPK3PXP';

/** Settings whose server asks for the password before anything of second factors. */
function setUp({ isOn = false } = {}) {
  const settings = setUpSettings();
  const { api, state } = settings;
  const server = { isConfirmed: false, asked: [] as string[] };
  if (isOn)
    state.factors = { totp_confirmed_at: '2026-11-20T10:00:00Z', recovery_codes_left: 3, has_short_password: false };
  const guarded = <Reply,>(name: string, run: () => Reply) => {
    server.asked.push(name);
    if (!server.isConfirmed) throw new FakeRefusal('password_unconfirmed');
    return run();
  };
  api.on(confirmPassword, ({ body }) => {
    if (body.password !== 'secret') throw new FakeRefusal('unprocessable');
    server.isConfirmed = true;
    return {};
  });
  api.on(beginTwoFactor, () => guarded('begin', () => ({})));
  const url = `otpauth://totp/Wardline:ana?secret=${KEY}`;
  api.on(getTwoFactorQrCode, () => guarded('picture', () => ({ svg: '<svg/>', url })));
  api.on(getTwoFactorSecret, () => guarded('key', () => ({ secretKey: KEY })));
  api.on(confirmTwoFactor, ({ body }) =>
    guarded('confirm', () => {
      if (body.code !== '123456') throw new FakeRefusal('unprocessable');
      state.factors = { ...state.factors, totp_confirmed_at: '2026-11-20T10:00:00Z', recovery_codes_left: 10 };
      return { recovery_codes: isOn ? [] : CODES };
    }),
  );
  api.on(endTwoFactor, () =>
    guarded('end', () => {
      state.factors = { ...state.factors, totp_confirmed_at: null, recovery_codes_left: 0 };
      return {};
    }),
  );
  api.on(renewRecoveryCodes, () => guarded('renew', () => ({ recovery_codes: CODES })));
  api.on(endOtherSessions, () => guarded('others', () => undefined));
  settings.draw();
  return { ...settings, server };
}

async function confirmWith(password: string) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
  fireEvent.input(dialog.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(dialog.getByRole('button', { name: 'Confirm' }));
}

describe('ACC-3 the authenticator app', () => {
  it('ACC-3 is set up after the password by picture or key and its first code; the codes are shown once, to be copied', async () => {
    const { server } = setUp();
    fireEvent.click(await screen.findByRole('button', { name: 'Set up authenticator app' }));
    await confirmWith('secret');
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy();
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open in the app' }).getAttribute('href')).toBe(
      `otpauth://totp/Wardline:ana?secret=${KEY}`,
    );
    const writeText = vi.fn(async () => undefined);
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
    press('Copy the key');
    expect(await screen.findByText('Copied.')).toBeTruthy();
    expect(writeText).toHaveBeenCalledExactlyOnceWith(KEY);
    const field = screen.getByLabelText('Code from the app');
    expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
    fireEvent.input(field, { target: { value: ' 123456 ' } });
    press('Turn on');
    const shown = within(await screen.findByRole('dialog', { name: 'Keep your recovery codes' }));
    expect(shown.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
    fireEvent.click(shown.getByRole('button', { name: 'Copy' }));
    expect(await shown.findByText('Copied.')).toBeTruthy();
    expect(writeText).toHaveBeenLastCalledWith(CODES.join('\n'));
    // They are shown this once.
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(screen.getByRole('dialog', { name: 'Keep your recovery codes' }).dataset['state']).toBe('open');
    press('I have kept them');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('10 of 10 left, for signing in without your phone.')).toBeTruthy();
    expect(server.asked).toEqual(['begin', 'begin', 'picture', 'key', 'confirm']);
  });

  it('ACC-3 a wrong code is said at its field, and the picture stays', async () => {
    setUp();
    fireEvent.click(await screen.findByRole('button', { name: 'Set up authenticator app' }));
    await confirmWith('secret');
    fireEvent.input(await screen.findByLabelText('Code from the app'), { target: { value: '000000' } });
    press('Turn on');
    expect(await screen.findByText('The given data was invalid.')).toBeTruthy();
    expect(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy();
  });

  it('ACC-3 is turned off after a question, and its codes can be made anew', async () => {
    const { server } = setUp({ isOn: true });
    server.isConfirmed = true;
    fireEvent.click(await screen.findByRole('button', { name: 'Make new recovery codes' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Make new codes' }));
    const shown = within(await screen.findByRole('dialog', { name: 'Keep your recovery codes' }));
    expect(shown.getAllByRole('listitem')).toHaveLength(10);
    press('I have kept them');
    press('Turn off authenticator app');
    const question = within(await screen.findByRole('dialog', { name: 'Turn off the authenticator app?' }));
    fireEvent.click(question.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('button', { name: 'Set up authenticator app' })).toBeTruthy();
    expect(screen.queryByText('Recovery codes')).toBeNull();
  });
});

describe('ACC-5 confirming the password', () => {
  it('ACC-5 goes on with the act by itself once it was right, and asks again where it was wrong', async () => {
    const { server } = setUp();
    fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
    const question = within(await screen.findByRole('dialog', { name: 'End all other sessions?' }));
    fireEvent.click(question.getByRole('button', { name: 'End all others' }));
    await confirmWith('wrong');
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
    expect(await dialog.findByText('The given data was invalid.')).toBeTruthy();
    await confirmWith('secret');
    await waitFor(() => expect(server.asked).toEqual(['others', 'others']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('ACC-5 an act whose question is not answered did not happen, and says so where it was asked for', async () => {
    const { server } = setUp();
    fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
    const question = within(await screen.findByRole('dialog', { name: 'End all other sessions?' }));
    fireEvent.click(question.getByRole('button', { name: 'End all others' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Nothing was changed: you did not confirm your password.')).toBeTruthy();
    expect(server.asked).toEqual(['others']);
  });
});

const PHONE: Passkey = {
  id: '01970000-0000-7000-8000-000000000009',
  name: 'Phone',
  created_at: '2026-11-20T10:00:00Z',
  last_used_at: null,
};

/** A browser whose person answers its question about a passkey. */
function answerWith(answer: () => Promise<unknown>) {
  vi.stubGlobal('PublicKeyCredential', class {});
  const credentials = { create: answer } as unknown as CredentialsContainer;
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue(credentials);
}

describe('ACC-3 passkeys', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('ACC-3 one that the person does not make is not added, and the dialog says so and stays', async () => {
    const { api } = setUp();
    const refusal = Object.assign(new Error('no'), { name: 'NotAllowedError' });
    answerWith(() => Promise.reject(refusal));
    api.on(beginPasskey, () => ({
      ...{ challenge: 'AAAA', rp: { id: 'localhost', name: 'W' }, pubKeyCredParams: [] },
      user: { id: 'AAAA', name: 'ana', displayName: 'Ana' },
    }));
    fireEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Add passkey' }));
    expect(await dialog.findByText('No passkey was added.')).toBeTruthy();
  });

  it('ACC-3 each has a name that can be changed, and is removed after a question', async () => {
    const { api, state } = setUp();
    state.passkeys = [PHONE];
    api.on(renamePasskey, ({ body }) => {
      state.passkeys = [{ ...PHONE, name: body.name }];
      return { ...PHONE, name: body.name };
    });
    api.on(removePasskey, () => {
      state.passkeys = [];
      return undefined;
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Rename Phone' }));
    fireEvent.input(screen.getByLabelText('Name', { selector: '[maxlength="80"]' }), {
      target: { value: 'Old phone' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Old phone' }));
    const question = within(await screen.findByRole('dialog', { name: 'Remove the passkey Old phone?' }));
    fireEvent.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('Old phone')).toBeNull());
  });
});
