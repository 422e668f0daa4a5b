/** Nothing to do: the binder gives both cookies with the answer. */
export async function getCsrfCookie(): Promise<undefined> {}
