import { describe, expect, it } from 'vitest';
import { createKnownDevices } from './known-device.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEY = Buffer.from('an app key that is only for this test');
const nurse = 'nurse@ward.test';

function devicesAt(nowMs = 1_700_000_000_000) {
  let now = nowMs;
  const devices = createKnownDevices(KEY, () => now);
  return {
    ...devices,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('the device cookie', () => {
  it('F-S3 knows the accounts that signed in on the device, however they are written, and no other', () => {
    const { add, find } = devicesAt();
    const cookie = add(add(null, nurse), 'doctor@ward.test');
    const device = find(cookie, ' NURSE@ward.test');
    expect(device).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(find(cookie, 'doctor@ward.test')).toBe(device);
    expect(find(cookie, 'officer@ward.test')).toBeNull();
    expect(find(null, nurse)).toBeNull();
    expect(find(add(null, nurse), nurse)).not.toBe(device);
  });

  it('F-S3 names nobody: neither an address nor anything that two devices of a person have in common', () => {
    const { add } = devicesAt();
    const [one, other] = [add(null, nurse), add(null, nurse)];
    expect(one).not.toContain('nurse');
    const parts = (cookie: string) => cookie.split('.').slice(1);
    expect(parts(one).filter((part) => parts(other).includes(part))).toEqual([]);
  });

  it('F-S3 counts for nothing once altered, made with another key, or 90 days after the last sign-in', () => {
    const { add, find, pass } = devicesAt();
    const cookie = add(null, nurse);
    for (let at = 0; at < cookie.length; at++) {
      const altered = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`;
      // The last character of base64url has bits that stand for nothing.
      if (at < cookie.length - 1) expect(find(altered, nurse), `character ${at}`).toBeNull();
    }
    const elsewhere = createKnownDevices(Buffer.from('the key of another installation'), () => 1_700_000_000_000);
    expect(elsewhere.find(cookie, nurse)).toBeNull();
    pass(89 * DAY_MS);
    expect(find(cookie, nurse)).not.toBeNull();
    const renewed = add(cookie, 'doctor@ward.test');
    pass(DAY_MS);
    expect(find(cookie, nurse)).toBeNull();
    expect(find(renewed, nurse)).not.toBeNull();
  });

  it('F-S3 keeps the 60 accounts that signed in last and stays under 1 kB', () => {
    const { add, find } = devicesAt();
    let cookie: string | null = null;
    for (let person = 0; person < 70; person++) cookie = add(cookie, `person${person}@ward.test`);
    expect(cookie?.length).toBeLessThan(1024);
    expect(find(cookie, 'person9@ward.test')).toBeNull();
    expect(find(cookie, 'person10@ward.test')).not.toBeNull();
  });
});
