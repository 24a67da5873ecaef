import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { Insertable } from 'kysely'
import { fail } from '../errors.ts'
import type { DkimKeyTable } from '../tables/hosting.ts'
import type { Tables } from '../tables.ts'
import type { Hosting, SigningKey } from './hosting.ts'
import { activateKeyRow, type DkimKey, deactivateKeys, findActiveKey, findKey, lockDomain } from './queries.ts'

export type { DkimKey } from './queries.ts'

/** Both halves of a new key: the private one as PEM, the public one as the DNS record has it. */
export type KeyPair = { readonly privateKeyPem: Secret; readonly publicKey: string }

/** Every verifier takes 2048 bits, and a TXT record of it fits one packet. */
const KEY_BITS = 2048
/** The first signs, the second stands by in DNS, so that a switch needs no wait. */
const SELECTORS = ['s1', 's2'] as const

/** A key is half a second of a core: many at once would leave nothing for the others. */
const making = createSemaphore({ parallel: 1, waiting: 20 })

/** Made outside of a transaction: it takes a moment. Refused with `unavailable` when many wait for theirs already. */
export const generateDomainKeys = (): Promise<readonly [KeyPair, KeyPair]> =>
  making.run(async () => [await generateKey(), await generateKey()] as const)

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
  keys.map(({ privateKeyPem, publicKey }, index) => ({
    domain_id: domainId,
    id: newId(),
    selector: SELECTORS[index] ?? `s${index + 1}`,
    algorithm: 'rsa-sha256',
    key_bits: KEY_BITS,
    sealed_private_key: hosting.sealer.seal(privateKeyPem, domainId),
    public_key: publicKey,
    active: index === 0,
    created_at: now,
    activated_at: index === 0 ? now : null,
  }))

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

/** From now on this key signs. There is no look into DNS first: both keys were published with the domain. */
export const activateKey = async (
  tx: Tx<Tables>,
  { accountId, domainId, keyId, now }: { accountId: string; domainId: string; keyId: string; now: Date },
): Promise<DkimKey> => {
  if (!(await lockDomain(tx, accountId, domainId))) fail('not_found')
  const key = (await findKey(tx, domainId, keyId)) ?? fail('not_found')
  if (key.active) return key
  await deactivateKeys(tx, domainId)
  const activated = await activateKeyRow(tx, domainId, keyId, now)
  tx.changes.push({ topic: 'domain', event: 'key_activated', data: { domainId } })
  return activated
}
