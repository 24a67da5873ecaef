import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** A script that runs for an address, and which version of it. The vacation response has the id of the address. */
export type ActiveScript = { id: string; updatedAt: Date }

export type ScriptSource = { id: string; name: string; source: string; updatedAt: Date }

export const findScriptSources = async (db: Db<Tables>, ids: readonly string[]): Promise<ScriptSource[]> =>
  db.query<ScriptSource>({
    text: `select id, name, source, updated_at as "updatedAt" from sieve_script where id = any($1)`,
    values: [ids],
  })

/** A script by its name, for those that include it: those of the address, or those of the whole account. */
export const findNamedScript = async (
  db: Db<Tables>,
  { addressId, accountId, name, isGlobal }: { addressId: string; accountId: string; name: string; isGlobal: boolean },
): Promise<string | null> => {
  const [row] = await db.query<{ source: string }>({
    text: `select source from sieve_script
           where account_id = $2 and name = $3 and (case when $4 then address_id is null else address_id = $1 end)
           order by origin limit 1`,
    values: [addressId, accountId, name, isGlobal],
  })
  return row?.source ?? null
}

export type MemoryKind = 'vacation' | 'duplicate'

export const isRemembered = async (
  db: Db<Tables>,
  { addressId, kind, hash, now }: { addressId: string; kind: MemoryKind; hash: Buffer; now: Date },
): Promise<boolean> => {
  const rows = await db.query({
    name: 'is-remembered',
    text: `select 1 from sieve_memory where address_id = $1 and kind = $2 and hash = $3 and expires_at > $4`,
    values: [addressId, kind, hash, now],
  })
  return rows.length > 0
}

/** Remembers until a moment. True when it was not remembered before: of two at the same time, one gets true. */
export const remember = async (
  tx: Tx<Tables>,
  memory: { addressId: string; kind: MemoryKind; hash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'remember',
    text: `insert into sieve_memory (address_id, kind, hash, expires_at) values ($1, $2, $3, $4)
           on conflict (address_id, kind, hash) do update set expires_at = excluded.expires_at
             where sieve_memory.expires_at <= $5
           returning 1`,
    values: [memory.addressId, memory.kind, memory.hash, memory.expiresAt, memory.now],
  })
  return rows.length > 0
}

/** Remembers until a moment; extends an entry that exists. */
export const rememberLonger = async (
  tx: Tx<Tables>,
  memory: { addressId: string; kind: MemoryKind; hash: Buffer; expiresAt: Date },
): Promise<void> => {
  await tx.query({
    name: 'remember-longer',
    text: `insert into sieve_memory (address_id, kind, hash, expires_at) values ($1, $2, $3, $4)
           on conflict (address_id, kind, hash) do update
             set expires_at = greatest(sieve_memory.expires_at, excluded.expires_at)`,
    values: [memory.addressId, memory.kind, memory.hash, memory.expiresAt],
  })
}

/** Forgets what has expired, a bounded number at a time; gives how many. */
export const forgetExpired = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from sieve_memory where ctid = any (array(
             select ctid from sieve_memory where expires_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [now, limit],
  })
  return rows.length
}
