import { expiryOf, prefixes } from '@stoa/cms/credentials.ts'
import { agentPermissions, type Role } from '@stoa/cms-model/permissions.ts'
import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { hashToken, hmacToken, newKey, newToken } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { SECRET } from '../service-process.ts'
import type { Look } from '../table.ts'
import { OWNER } from '../writers.ts'

/** A credential of some kind that random requests may use, and end. */
export type Credential = {
  kind: 'session' | 'agent' | 'delivery'
  header: 'authorization' | 'x-api-key'
  token: string
  id: string
}

const ROLES = ['admin', 'admin', 'editor', 'author', 'viewer'] as const satisfies readonly Role[]

/** Sessions of every role below the owner, agent keys and delivery keys, written into the tables: nothing is hashed. */
export const createPeople = async (look: Look) => {
  const passwordHash = await hashPassword(OWNER.password)
  const sessionKey = subKey(new Secret(SECRET), 'session')
  let made = 0

  const person = async (role: Role): Promise<string> => {
    const id = newId()
    made += 1
    await look.rows(
      `insert into account (id, email, name, role, password_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, now(), now())`,
      [id, `${role}-${made}@example.test`, `${role} ${made}`, role, passwordHash],
    )
    return id
  }
  const session = async (role: Role): Promise<Credential> => {
    const id = newId()
    const token = newToken(prefixes.session)
    const now = new Date()
    await look.rows(
      `insert into session (id, account_id, token_hash, ip, created_at, last_seen_at, expires_at)
       values ($1, $2, $3, '192.0.2.1', $4, $4, $5)`,
      [id, await person(role), hmacToken(sessionKey, token), now, expiryOf(now, now)],
    )
    return { kind: 'session', header: 'authorization', token, id }
  }
  const agent = async (role: Role): Promise<Credential> => {
    const id = newId()
    const token = newKey(prefixes.agent)
    await look.rows(
      `insert into agent_key (id, account_id, name, key_hash, last4, grants, created_at, expires_at)
       values ($1, $2, 'Robot', $3, $4, $5, now(), now() + interval '30 days')`,
      [id, await person(role), hashToken(token), token.slice(-4), [...agentPermissions]],
    )
    return { kind: 'agent', header: 'authorization', token, id }
  }
  const delivery = async (types: readonly string[]): Promise<Credential> => {
    const id = newId()
    const token = newKey(prefixes.delivery)
    await look.rows(
      `insert into delivery_key (id, name, key_hash, last4, types, created_at)
       values ($1, 'Website', $2, $3, $4, now())`,
      [id, hashToken(token), token.slice(-4), types],
    )
    return { kind: 'delivery', header: 'x-api-key', token, id }
  }

  const makers: readonly (() => Promise<Credential>)[] = [
    ...ROLES.map((role) => () => session(role)),
    () => agent('admin'),
    () => agent('author'),
    () => delivery(['*']),
    () => delivery(['everything']),
  ]
  const credentials: Credential[] = []
  for (const make of makers) credentials.push(await make())

  return {
    credentials,
    /** Puts others in the place of those that have ended. */
    async renew(): Promise<number> {
      const alive = await look.rows<{ id: string }>(ALIVE, [credentials.map(({ id }) => id)])
      const ids = new Set(alive.map(({ id }) => id))
      let renewed = 0
      for (const [at, make] of makers.entries()) {
        if (ids.has(credentials[at]?.id ?? '')) continue
        credentials[at] = await make()
        renewed += 1
      }
      return renewed
    },
  }
}

export type People = Awaited<ReturnType<typeof createPeople>>

const ALIVE = `
  select s.id from session s join account a on a.id = s.account_id
    where s.id = any($1) and s.revoked_at is null and a.deactivated_at is null
  union all select k.id from agent_key k join account a on a.id = k.account_id
    where k.id = any($1) and k.revoked_at is null and a.deactivated_at is null
  union all select id from delivery_key where id = any($1) and revoked_at is null`
