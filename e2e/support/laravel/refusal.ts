/** An exception of Laravel as its handler renders it for a client that asks for JSON. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: { message: string; errors?: Record<string, string[]> }, headers = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const refuse = {
  unauthenticated: () => new Refusal(401, { message: 'Unauthenticated.' }),
  forbidden: () => new Refusal(403, { message: 'This action is unauthorized.' }),
  noRoute: (path: string) => new Refusal(404, { message: `The route ${path.slice(1)} could not be found.` }),
  noModel: (id: string) => new Refusal(404, { message: `No query results for model [App\\Models\\Chat] ${id}` }),
  csrfMismatch: () => new Refusal(419, { message: 'CSRF token mismatch.' }),
  invalid(errors: Record<string, string[]>) {
    const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
    const rest = more.length === 0 ? '' : ` (and ${more.length} more error${more.length === 1 ? '' : 's'})`;
    return new Refusal(422, { message: `${first}${rest}`, errors });
  },
};
