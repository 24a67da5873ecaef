import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { Insertable } from 'kysely'
import { fail } from '../../errors.ts'
import type { DkimKeyTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'
import type { Hosting, SigningKey } from './hosting.ts'
import {
  activateKeyRow,
  type DkimKey,
  deactivateKeys,
  deleteKeyRow,
  findActiveKey,
  findKey,
  insertKeys,
  listKeys,
  lockDomain,
  takeKeyNumber,
} from './queries.ts'

/** Both halves of a new key: the private one as PEM, the public one as the DNS record has it. */
export type KeyPair = { readonly privateKeyPem: Secret; readonly publicKey: string }

/** Every verifier takes 2048 bits, and a TXT record of it fits one packet. */
const KEY_BITS = 2048
/** The first signs, the second stands by in DNS, so that a switch needs no wait. */
const SELECTORS = ['s1', 's2'] as const
/** One that signs, one that stands by, and those of the last changes until nobody checks their signatures any more. */
const MAX_KEYS = 5

/** A key is half a second of a core: many at once would leave nothing for the others. */
const making = createSemaphore({ parallel: 1, waiting: 20 })

/** Made outside of a transaction: it takes a moment. Refused with `unavailable` when many wait for theirs already. */
export const generateDomainKeys = (): Promise<readonly [KeyPair, KeyPair]> =>
  making.run(async () => [await generateKey(), await generateKey()] as const)

export const generateFurtherKey = (): Promise<KeyPair> => making.run(generateKey)

const makeKeyPair = promisify(generateKeyPair)

const generateKey = async (): Promise<KeyPair> => {
  const { privateKey, publicKey } = await makeKeyPair('rsa', { modulusLength: KEY_BITS })
  return {
    privateKeyPem: new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
}

/** The rows of a new domain's two keys. */
export const keyRows = (
  hosting: Pick<Hosting, 'sealer'>,
  domainId: string,
  { keys, now }: { keys: readonly [KeyPair, KeyPair]; now: Date },
): Insertable<DkimKeyTable>[] =>
  keys.map((pair, index) => ({
    ...keyRow(hosting, domainId, { pair, selector: SELECTORS[index] ?? `s${index + 1}`, now }),
    active: index === 0,
    activated_at: index === 0 ? now : null,
  }))

const keyRow = (
  hosting: Pick<Hosting, 'sealer'>,
  domainId: string,
  { pair, selector, now }: { pair: KeyPair; selector: string; now: Date },
) => ({
  domain_id: domainId,
  id: newId(),
  selector,
  algorithm: 'rsa-sha256' as const,
  key_bits: KEY_BITS,
  sealed_private_key: hosting.sealer.seal(pair.privateKeyPem, domainId),
  public_key: pair.publicKey,
  active: false,
  created_at: now,
  activated_at: null,
})

/** The key that signs mail of a verified domain. Kept in memory until something about a domain changes. */
export const signingKeyOf = async (
  db: Db<Tables>,
  hosting: Pick<Hosting, 'sealer' | 'signingKeys'>,
  domainId: string,
): Promise<SigningKey | null> => {
  const { signingKeys } = hosting
  const known = signingKeys.get(domainId)
  if (known !== undefined) return known
  const { generation } = signingKeys
  const row = await findActiveKey(db, domainId)
  const key = row
    ? {
        domain: row.domain,
        selector: row.selector,
        algorithm: row.algorithm,
        privateKeyPem: hosting.sealer.open(row.sealed_private_key, domainId).reveal(),
      }
    : null
  signingKeys.keep(domainId, key, generation)
  return key
}

type OneKey = { accountId: string; domainId: string; keyId: string }

/** From now on this key signs. There is no look into DNS first: its owner is shown whether its record was seen. */
export const activateKey = async (
  tx: Tx<Tables>,
  { accountId, domainId, keyId, now }: OneKey & { now: Date },
): Promise<DkimKey> => {
  if (!(await lockDomain(tx, accountId, domainId))) fail('not_found')
  const key = (await findKey(tx, domainId, keyId)) ?? fail('not_found')
  if (key.active) return key
  await deactivateKeys(tx, domainId)
  const activated = await activateKeyRow(tx, domainId, keyId, now)
  tx.changes.push({ topic: 'domain', event: 'key_activated', data: { domainId } })
  return activated
}

/** Refuses a key more than a domain may have, before it is made: that costs more than all the rest. */
export const checkNewKey = async (db: Db<Tables>, domainId: string): Promise<void> => {
  if ((await listKeys(db, domainId)).length >= MAX_KEYS)
    fail('conflict', { message: `A domain can have up to ${MAX_KEYS} DKIM keys. Delete one you no longer use.` })
}

/** Adds a key that stands by. Its selector was never used before. */
export const addKey = async (
  tx: Tx<Tables>,
  hosting: Pick<Hosting, 'sealer'>,
  { accountId, domainId, pair, now }: { accountId: string; domainId: string; pair: KeyPair; now: Date },
): Promise<DkimKey> => {
  if (!(await lockDomain(tx, accountId, domainId))) fail('not_found')
  await checkNewKey(tx, domainId)
  const selector = `s${await takeKeyNumber(tx, domainId, now)}`
  const row = keyRow(hosting, domainId, { pair, selector, now })
  await insertKeys(tx, [row])
  tx.changes.push({ topic: 'domain', event: 'updated', data: { domainId, accountId } })
  return row
}

/** Removes a key that does not sign. */
export const removeKey = async (tx: Tx<Tables>, { accountId, domainId, keyId }: OneKey): Promise<void> => {
  if (!(await lockDomain(tx, accountId, domainId))) fail('not_found')
  const key = (await findKey(tx, domainId, keyId)) ?? fail('not_found')
  if (key.active) fail('conflict', { message: 'This key signs your mail. Activate another key first.' })
  await deleteKeyRow(tx, domainId, keyId)
  tx.changes.push({ topic: 'domain', event: 'updated', data: { domainId, accountId } })
}
