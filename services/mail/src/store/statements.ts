/** A statement whose plan PostgreSQL keeps under its name. */
export type NamedStatement = { name: string; text: string; values: unknown[] }

/** Planning takes about as long as this many rows. */
const MANY = 100

/**
 * The statement for so many rows: for many of them a plan is made anew. The one that is kept may be of a time when there
 * were hardly any messages, and reads all of a mailbox for each row; nobody notices before the tables are analysed again.
 */
export const forRows = (rows: number, statement: NamedStatement): { text: string; values: unknown[] } => {
  if (rows <= MANY) return statement
  const { text, values } = statement
  return { text, values }
}
