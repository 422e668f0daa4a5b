/** Being called: the settings of it, Web Push on this device, and the sound of an open page. */
export { clearDevicePush, renewDevicePush } from './device-push.ts';
export { NotificationsPanel } from './notifications-panel.tsx';
export { createSounder, type Sounder } from './sounder.ts';
export { playTones, unlockTones } from './tones.ts';
