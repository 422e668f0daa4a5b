// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import {
  getNotificationSettings,
  type NotificationSettings,
  subscribePush,
  testPush,
  unsubscribePush,
  updateNotificationSettings,
} from '@wardline/contract/chat/notifications.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { renewDevicePush } from './device-push.ts';
import { NotificationsPanel } from './notifications-panel.tsx';

const KEY = `B${'x'.repeat(86)}`;
const SUBSCRIPTION = { endpoint: 'https://push.test/1', keys: { p256dh: KEY, auth: 'y'.repeat(22) } };

let settings: NotificationSettings;
let permission: NotificationPermission;
let subscription: { unsubscribe(): Promise<boolean>; toJSON(): object; options: object } | null;

const requestPermission = vi.fn(async (): Promise<NotificationPermission> => {
  permission = 'granted';
  return permission;
});

/** A browser that knows push, as far as the page sees it. */
beforeEach(() => {
  settings = {
    sounds: { routine: 'soft', urgent: 'loud' },
    mail_digest: 'off',
    ...{ quiet_hours: null, quiet_off_call: false, quiet_facility_ids: [], has_push: false },
  };
  permission = 'default';
  subscription = null;
  requestPermission.mockClear();
  const made = () => ({
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
    toJSON: () => SUBSCRIPTION,
    options: { applicationServerKey: null },
  });
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      subscription = made();
      return subscription;
    },
  };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    requestPermission,
    get permission() {
      return permission;
    },
  });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => ({ pushManager }) },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  localStorage.clear();
});

function show(pushKey = KEY) {
  const app = createFakeApp();
  const set: object[] = [];
  app.api.on(getNotificationSettings, () => settings);
  app.api.on(updateNotificationSettings, ({ body }) => {
    set.push(body);
    settings = { ...settings, ...body };
    return settings;
  });
  app.api.on(subscribePush, ({ body }) => {
    set.push(body);
    settings = { ...settings, has_push: true };
    return undefined;
  });
  app.api.on(unsubscribePush, () => {
    settings = { ...settings, has_push: false };
    return undefined;
  });
  app.api.on(testPush, () => ({ is_sent: true }));
  app.draw(<NotificationsPanel userId="me" pushKey={pushKey} installHref="/settings#app" />);
  return { app, set };
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

it('CHAT-21 asks the browser for leave where it is explained, at a press, and never before', async () => {
  const { set } = show();
  expect(await screen.findByText(/Your browser will ask you to allow it/)).toBeTruthy();
  expect(requestPermission).not.toHaveBeenCalled();
  await press('Call me on this device');
  await screen.findByText('On');
  expect(set).toEqual([SUBSCRIPTION]);
  expect(requestPermission).toHaveBeenCalledTimes(1);
});

it('CHAT-21 has a test, and can be turned off', async () => {
  const { app } = show();
  await press('Call me on this device');
  await press('Send a test');
  await waitFor(() => expect(app.api.asked).toContain('POST /api/user/push-subscription/test'));
  await press('Turn off');
  await screen.findByRole('button', { name: 'Call me on this device' });
  expect(subscription).toBeNull();
});

it('CHAT-21 says how it is allowed where the person said no', async () => {
  requestPermission.mockImplementationOnce(async () => {
    permission = 'denied';
    return permission;
  });
  show();
  await press('Call me on this device');
  expect(await screen.findByText(/blocked in this browser.*then reload the page/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Call me on this device' })).toBeNull();
});

it('CHAT-21 on a first visit the device can be called as soon as the service worker is there', async () => {
  let arrive = () => {};
  const ready = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let registration: object | undefined;
  const getRegistration = async () => registration;
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { getRegistration, ready } });
  show();
  expect(await screen.findByText(/This browser can’t show notifications/)).toBeTruthy();
  registration = {};
  arrive();
  expect(await screen.findByRole('button', { name: 'Call me on this device' })).toBeTruthy();
});

it('CHAT-21 says so where a browser cannot, and how an iPhone can', async () => {
  Reflect.deleteProperty(window, 'PushManager');
  const { unmount } = (() => {
    const app = createFakeApp();
    app.api.on(getNotificationSettings, () => settings);
    return app.draw(<NotificationsPanel userId="me" pushKey={KEY} installHref="/settings#app" />);
  })();
  expect(await screen.findByText(/This browser can’t show notifications/)).toBeTruthy();
  unmount();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)');
  show();
  expect((await screen.findByRole('link', { name: 'How to install it' })).getAttribute('href')).toBe('/settings#app');
  vi.restoreAllMocks();
});

it('CHAT-16 a server without push offers the rest', async () => {
  show('');
  expect(await screen.findByLabelText('Email digest')).toBeTruthy();
  expect(screen.queryByText('This device')).toBeNull();
});

it('CHAT-16 CHAT-21 each choice is kept at once, and taken back where the server refuses it', async () => {
  const { app, set } = show();
  fireEvent.change(await screen.findByLabelText('Sound for messages'), { target: { value: 'loud' } });
  fireEvent.change(screen.getByLabelText('Email digest'), { target: { value: 'daily' } });
  fireEvent.click(screen.getByRole('switch', { name: 'Quiet when I’m not on call' }));
  fireEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
  const from = await screen.findByLabelText('From');
  await waitFor(() => expect(set).toHaveLength(4));
  expect(set.at(-1)).toEqual({
    sounds: { routine: 'loud', urgent: 'loud' },
    mail_digest: 'daily',
    quiet_hours: { from: '22:00', until: '07:00' },
    quiet_off_call: true,
  });
  fireEvent.change(from, { target: { value: '20:30' } });
  expect(set).toHaveLength(4);
  fireEvent.blur(from);
  await waitFor(() => expect(set.at(-1)).toMatchObject({ quiet_hours: { from: '20:30', until: '07:00' } }));
  app.refuse(403);
  fireEvent.change(screen.getByLabelText('Email digest'), { target: { value: 'off' } });
  expect((await screen.findByText(/^Nothing was changed/)).textContent).toBeTruthy();
  expect((screen.getByLabelText('Email digest') as HTMLSelectElement).value).toBe('daily');
});

it('A37 what another person left in this browser ends, one’s own is told to the server again', async () => {
  const { app, set } = show();
  await press('Call me on this device');
  await screen.findByText('On');
  await renewDevicePush({ call: app.call, userId: 'me' });
  expect(set).toEqual([SUBSCRIPTION, SUBSCRIPTION]);
  await renewDevicePush({ call: app.call, userId: 'somebody else' });
  expect(set).toHaveLength(2);
  expect(subscription).toBeNull();
});
