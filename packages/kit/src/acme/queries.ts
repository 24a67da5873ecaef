import type { Db, Tx } from '../db/database.ts'

/** The database of any service that has these tables. */
export type AnyDb = Pick<Db<unknown>, 'query'>
type AnyTx = Pick<Tx<unknown>, 'query' | 'changes'>
export type AcmeDatabase = { readonly db: AnyDb; tx<R>(run: (tx: AnyTx) => Promise<R>): Promise<R> }

/** Notifies every process when the certificate of a name was replaced or removed. */
export const CERTIFICATES = 'certificates'

export type AcmeAccount = { sealed_key: string; url: string | null; failures: number }

/** Makes the account with this key, unless there is one. */
export const keepAccount = async (
  tx: AnyTx,
  account: { directory: string; sealedKey: string; now: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into acme_account (directory, sealed_key, created_at) values ($1, $2, $3) on conflict do nothing`,
    values: [account.directory, account.sealedKey, account.now],
  })
}

export const hasAccount = async (db: AnyDb, directory: string): Promise<boolean> =>
  (await db.query({ text: 'select 1 from acme_account where directory = $1', values: [directory] })).length > 0

/** Takes or keeps the right to order; null while another process has it, or nobody may ask the authority. */
export const takeLease = async (
  tx: AnyTx,
  lease: { directory: string; id: string; now: Date; until: Date },
): Promise<AcmeAccount | null> => {
  const [account] = await tx.query<AcmeAccount>({
    text: `update acme_account set lease_id = $2, leased_until = $4
      where directory = $1 and (lease_id is null or lease_id = $2 or leased_until <= $3)
        and (wait_until is null or wait_until <= $3)
      returning sealed_key, url, failures`,
    values: [lease.directory, lease.id, lease.now, lease.until],
  })
  return account ?? null
}

export const dropLease = async (tx: AnyTx, directory: string, id: string): Promise<void> => {
  await tx.query({
    text: 'update acme_account set lease_id = null, leased_until = null where directory = $1 and lease_id = $2',
    values: [directory, id],
  })
}

/** Saves the account's URL at the authority; null if the authority no longer knows the account. */
export const setAccountUrl = async (tx: AnyTx, directory: string, url: string | null): Promise<void> => {
  await tx.query({ text: 'update acme_account set url = $2 where directory = $1', values: [directory, url] })
}

/** Null: the authority could be asked. */
export const setWait = async (tx: AnyTx, directory: string, until: Date | null): Promise<void> => {
  await tx.query({
    text: `update acme_account set wait_until = $2, failures = case when $2::timestamptz is null then 0 else failures + 1 end
      where directory = $1`,
    values: [directory, until],
  })
}

export const insertNames = async (
  tx: AnyTx,
  { names, directory, now }: { names: readonly string[]; directory: string; now: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into certificate (name, directory, next_attempt_at, created_at)
      select name, $2, $3, $3 from unnest($1::text[]) name on conflict do nothing`,
    values: [names, directory, now],
  })
}

export type DueName = {
  name: string
  not_after: Date | null
  failures: number
  /** Without a failure: the authority did not answer as it should the last time. */
  last_error: string | null
}

/** The operator's names first, then renewals, then new names; last what did not succeed before. */
export const listDue = (
  db: AnyDb,
  due: { directory: string; own: readonly string[]; now: Date; limit: number },
): Promise<DueName[]> =>
  db.query<DueName>({
    text: `select name, not_after, failures, last_error from certificate where next_attempt_at <= $2 or directory <> $1
      order by name = any ($3) desc, chain is not null desc, failures = 0 desc, next_attempt_at, name limit $4`,
    values: [due.directory, due.now, due.own, due.limit],
  })

/** Counts the orders since then. */
export const countAttempts = async (db: AnyDb, since: Date): Promise<number> => {
  const [row] = await db.query<{ count: number }>({
    text: 'select count(*)::integer as count from certificate where attempted_at > $1',
    values: [since],
  })
  return row?.count ?? 0
}

export type Issued = {
  name: string
  directory: string
  chain: string
  sealedKey: string
  notBefore: Date
  notAfter: Date
  renewAt: Date
  now: Date
}

export const saveCertificate = async (tx: AnyTx, issued: Issued): Promise<void> => {
  await tx.query({
    text: `update certificate set directory = $2, chain = $3, sealed_key = $4, not_before = $5, not_after = $6,
        next_attempt_at = $7, attempted_at = $8, failures = 0, last_error = null where name = $1`,
    values: [
      issued.name,
      issued.directory,
      issued.chain,
      issued.sealedKey,
      issued.notBefore,
      issued.notAfter,
      issued.renewAt,
      issued.now,
    ],
  })
  tx.changes.push({ topic: CERTIFICATES, event: 'replaced', data: { name: issued.name } })
}

/** `attemptedAt` is null when the authority was not asked. */
export const saveFailure = async (
  tx: AnyTx,
  failed: { name: string; directory: string; reason: string; nextAttemptAt: Date; attemptedAt: Date | null },
): Promise<void> => {
  await tx.query({
    text: `update certificate set directory = $2, last_error = $3, next_attempt_at = $4,
        attempted_at = coalesce($5, attempted_at), failures = failures + 1 where name = $1`,
    values: [failed.name, failed.directory, failed.reason, failed.nextAttemptAt, failed.attemptedAt],
  })
}

/** Why there is no certificate, which is nobody's fault so far. */
export const noteError = async (tx: AnyTx, name: string, reason: string): Promise<void> => {
  await tx.query({ text: 'update certificate set last_error = $2 where name = $1', values: [name, reason] })
}

export const deleteCertificate = async (tx: AnyTx, name: string): Promise<void> => {
  await tx.query({ text: 'delete from certificate where name = $1', values: [name] })
  tx.changes.push({ topic: CERTIFICATES, event: 'replaced', data: { name } })
}

export const listIssuedNames = async (db: AnyDb): Promise<string[]> =>
  (await db.query<{ name: string }>({ text: 'select name from certificate where chain is not null' })).map(
    ({ name }) => name,
  )

export const findIssued = async (db: AnyDb, name: string): Promise<{ chain: string; sealed_key: string } | undefined> =>
  (
    await db.query<{ chain: string; sealed_key: string }>({
      text: 'select chain, sealed_key from certificate where name = $1 and chain is not null',
      values: [name],
    })
  )[0]

/** A certificate as the operator sees it. */
export type CertificateState = {
  name: string
  /** Null: there is none yet. */
  notBefore: Date | null
  notAfter: Date | null
  failures: number
  lastError: string | null
  nextAttemptAt: Date
}

/** The certificates that end first; those of names that never had one come last. */
export const listCertificates = async (db: AnyDb, { limit }: { limit: number }): Promise<CertificateState[]> =>
  db.query<CertificateState>({
    text: `select name, not_before as "notBefore", not_after as "notAfter", failures, last_error as "lastError",
        next_attempt_at as "nextAttemptAt" from certificate order by not_after nulls last, name limit $1`,
    values: [limit],
  })

export const insertChallenge = async (
  tx: AnyTx,
  challenge: { token: string; answer: string; expiresAt: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into acme_challenge (token, answer, expires_at) values ($1, $2, $3)
      on conflict (token) do update set answer = excluded.answer, expires_at = excluded.expires_at`,
    values: [challenge.token, challenge.answer, challenge.expiresAt],
  })
}

export const findChallenge = async (db: AnyDb, token: string, now: Date): Promise<string | undefined> =>
  (
    await db.query<{ answer: string }>({
      text: 'select answer from acme_challenge where token = $1 and expires_at > $2',
      values: [token, now],
    })
  )[0]?.answer

/** The one of the token, and those that are over. */
export const deleteChallenges = async (tx: AnyTx, token: string, now: Date): Promise<void> => {
  await tx.query({ text: 'delete from acme_challenge where token = $1 or expires_at <= $2', values: [token, now] })
}
