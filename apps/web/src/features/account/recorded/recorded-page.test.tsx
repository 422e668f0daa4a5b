// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { screen, within } from '@testing-library/react';
import { getRecorded, type Recorded } from '@wardline/contract/account/own-data.ts';
import { describe, expect, it } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { anaUser } from '#/testing/fake-chats.ts';
import { RecordedPage } from './recorded-page.tsx';

const place: Recorded['facilities'][number] = {
  ...{ id: '01970000-0000-7000-8000-000000000001', name: 'St. Brigid General', census_log_years: 10 },
  ...{ idle_lock_minutes: 5, shows_last_seen: false, own_texts_in_copies: true },
};

function draw(recorded: Partial<Recorded> = {}) {
  const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
  const figures = { audit_years: null, shared_session_hours: 12, own_session_days: 7, token_days: 90 };
  app.api.on(getRecorded, () => ({ ...figures, facilities: [place], ...recorded }));
  app.draw(<RecordedPage />);
  return app;
}

describe('what is recorded', () => {
  it('ACC-5 says it with the figures that are set, for each facility of one’s own', async () => {
    draw({ audit_years: 6 });
    await screen.findByText(/go after 6 years; that something was done, and when, stays[.]$/);
    screen.getByText(/12 hours on a shared computer, 7 days on your own device.* 90 days[.]$/);
    const here = within(screen.getByRole('region', { name: 'At St. Brigid General' }));
    here.getByText(/go after 10 years/);
    here.getByText('Covered after 5 minutes without input.');
    here.getByText('Not shown to colleagues.');
    here.getByText('With the texts of what you wrote here.');
  });

  it('ACC-5 says so where there is no end, and claims no compliance', async () => {
    draw({ facilities: [] });
    await screen.findByText(/report you opened[.] Kept without end[.]$/);
    expect(screen.queryByRole('region', { name: /^At / })).toBeNull();
    expect(document.body.textContent).not.toMatch(/complian|GDPR|HIPAA/i);
  });

  it('SHELL-4 is asked for again where it did not load', async () => {
    const app = createFakeApp({ status: 'signed-in', user: anaUser, confirmed: true });
    app.refuse(503, { message: 'The service is not available right now.' });
    app.draw(<RecordedPage />);
    expect(await screen.findByText('This could not be loaded')).toBeTruthy();
  });
});
