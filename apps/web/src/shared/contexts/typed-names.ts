/**
 * Under which names what somebody types lies on the device until it is signed or stored. A sign-out asks about it; of what waits to be
 * sent under the same name (its lane) it stays with that.
 */
export const typedNames = {
  /** Of a chat a hand-over that is written, of a hand-over its correction. */
  sheet: (id: string) => `handover/${id}`,
  /** What the receiver of a hand-over understood. */
  synthesis: (id: string) => `handover-synthesis/${id}`,
  examination: (id: string) => `examination/${id}`,
  /** A form of a facility, by whoever changes it. */
  form: (id: string) => `examination-form/${id}`,
};
