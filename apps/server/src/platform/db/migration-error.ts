/** The database and the build do not fit each other; the message is for the person who starts the server. */
export class MigrationError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(`${problem}\nNothing was changed in the database.`, options);
  }
}
