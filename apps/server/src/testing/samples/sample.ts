/** A request that succeeds when somebody sends it who may. */
export interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Of the request, beside those of every client. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: Buffer;
  readonly stream?: Buffer;
}
