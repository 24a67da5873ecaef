import { createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { timingSafeEqualText } from '../crypto/tokens.ts'
import type { Secret } from '../secret.ts'
import type { Destination } from './destination.ts'
import { BackupError } from './errors.ts'

/** How the backups of a destination are encrypted: all of them with keys from one passphrase. */
export type Protection = {
  /** A file's own key: it opens no other file, and not this one under another name. */
  fileKey(name: string, salt: Buffer): Buffer
  /** Hides which content a blob has, and is the same for the same content. */
  blobName(key: string): string
}

/** How the key is derived from the passphrase. It is no secret, and it is written once. */
const KEY_FILE = 'key.json'

const keyFile = z.object({
  format: z.literal(1),
  encryption: z
    .object({
      kdf: z.literal('scrypt'),
      // These limits bound the cost of reading a tampered file.
      n: z
        .number()
        .int()
        .min(2)
        .max(2 ** 20),
      r: z.number().int().min(1).max(16),
      p: z.number().int().min(1).max(4),
      salt: z.base64url(),
      /** Distinguishes a wrong passphrase from a damaged backup. */
      check: z.string(),
    })
    .nullable(),
})
type KeyFile = z.infer<typeof keyFile>
type Encryption = NonNullable<KeyFile['encryption']>

/** Cost of one guess at the passphrase: 128 MB and about half a second. */
const COST = { n: 2 ** 17, r: 8, p: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32

/** Null when the backups are not encrypted. Throws BackupError when the passphrase is missing, wrong or too many. */
export const openProtection = async (
  destination: Destination,
  passphrase: Secret | null,
): Promise<Protection | null> => {
  const found = await readKeyFile(destination)
  if (!found) throw new BackupError(`There are no backups in ${destination.label}.`)
  if (!found.encryption) {
    if (passphrase)
      throw new BackupError(
        `The backups in ${destination.label} aren't encrypted. Choose another place, or unset BACKUP_PASSPHRASE.`,
      )
    return null
  }
  if (!passphrase) throw new BackupError(`The backups in ${destination.label} are encrypted. Set BACKUP_PASSPHRASE.`)
  const master = await deriveMaster(passphrase, found.encryption)
  if (!timingSafeEqualText(checkOf(master), found.encryption.check))
    throw new BackupError(`BACKUP_PASSPHRASE isn't the passphrase of the backups in ${destination.label}.`)
  return protectionOf(master)
}

/** `openProtection` before a backup: the first backup decides whether those at this destination are encrypted. */
export const createProtection = async (
  destination: Destination,
  passphrase: Secret | null,
): Promise<Protection | null> => {
  if (await readKeyFile(destination)) return openProtection(destination, passphrase)
  const made = passphrase && (await newEncryption(passphrase))
  const file: KeyFile = { format: 1, encryption: made?.encryption ?? null }
  await destination.put(KEY_FILE, Buffer.from(`${JSON.stringify(file)}\n`))
  return made && protectionOf(made.master)
}

const readKeyFile = async (destination: Destination): Promise<KeyFile | null> => {
  const stored = await destination.get(KEY_FILE)
  if (!stored) return null
  const text = Buffer.concat(await stored.toArray()).toString('utf8')
  try {
    return keyFile.parse(JSON.parse(text))
  } catch (error) {
    throw new BackupError(`${KEY_FILE} in ${destination.label} is damaged.`, error)
  }
}

const newEncryption = async (passphrase: Secret): Promise<{ encryption: Encryption; master: Buffer }> => {
  const parameters = { kdf: 'scrypt' as const, ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') }
  const master = await deriveMaster(passphrase, parameters)
  return { encryption: { ...parameters, check: checkOf(master) }, master }
}

const deriveKey = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

const deriveMaster = (passphrase: Secret, { n, r, p, salt }: Omit<Encryption, 'check'>): Promise<Buffer> => {
  const options = { N: n, r, p, maxmem: 256 * n * r }
  return deriveKey(passphrase.reveal().normalize('NFC'), Buffer.from(salt, 'base64url'), KEY_BYTES, options)
}

const derive = (master: Buffer, salt: Buffer | string, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, salt, label, KEY_BYTES))

const checkOf = (master: Buffer): string => derive(master, '', 'stoa backup check').toString('base64url')

const protectionOf = (master: Buffer): Protection => {
  const nameKey = derive(master, '', 'stoa backup names')
  return {
    fileKey: (name, salt) => derive(master, salt, `stoa backup file ${name}`),
    blobName: (key) => createHmac('sha256', nameKey).update(key).digest('hex'),
  }
}
