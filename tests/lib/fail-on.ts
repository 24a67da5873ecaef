import type { Database, Tx } from '@stoa/kit/db/database.ts'

let triggers = 0

/** From now on this operation on the rows that the condition is true of (`old`, `new`) fails; gives how to undo that. */
export const failOn = async (
  { pool }: Pick<Database<unknown>, 'pool'>,
  operation: 'insert' | 'update' | 'delete',
  table: string,
  condition: string,
): Promise<() => Promise<void>> => {
  const name = `fails_${++triggers}`
  await pool.query(`create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'a bad record'; end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$`)
  await pool.query(`create trigger ${name} before ${operation} on ${table} for each row execute function ${name}()`)
  return async () => {
    await pool.query(`drop function if exists ${name} cascade`)
  }
}

/** Commits a change after which nobody can read the table until the function that it gives is called. */
export const unreadableAfter = async <T>(
  { tx, pool }: Pick<Database<T>, 'tx' | 'pool'>,
  table: string,
  change: (tx: Tx<T>) => Promise<unknown>,
): Promise<() => Promise<void>> => {
  await tx(async (tx) => {
    await change(tx)
    await tx.query({ text: `alter table ${table} rename to unreadable_${table}` })
  })
  return async () => {
    await pool.query(`alter table if exists unreadable_${table} rename to ${table}`)
  }
}
