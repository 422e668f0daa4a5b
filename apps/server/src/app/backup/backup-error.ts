/** What is wrong with a backup or stands in the way of one; the message is a sentence for the operator's terminal. */
export class BackupError extends Error {}
