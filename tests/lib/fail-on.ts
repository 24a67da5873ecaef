import type { Database } from '@stoa/kit/db/database.ts'

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
