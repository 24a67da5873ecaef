import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { createSemaphore } from '../semaphore.ts'
import { isCommonPassword } from './common-passwords.ts'

const MIN_PASSWORD_BYTES = 8
// Argon2 hashes any length; the limit keeps a request with a megabyte of password from costing anything.
export const MAX_PASSWORD_BYTES = 1024

/** What a hash costs: KiB of memory, passes over it, and lanes. */
export type PasswordWork = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
export const PASSWORD_WORK: PasswordWork = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

// The work runs in libuv's pool of four threads, which file access and name look-ups need too.
const MAX_PARALLEL = 2
// About two seconds of work at 30 ms each: a client that waits longer has given up.
const MAX_WAITING = 128

const semaphore = createSemaphore({ parallel: MAX_PARALLEL, waiting: MAX_WAITING })

let today = PASSWORD_WORK
let made = 0

/** Hashes with this work from now on. For tests alone: most of them sign in on the way to something else. */
export const setPasswordWork = (work: PasswordWork): void => {
  today = work
}

export type PasswordFormProblem = 'too_short' | 'too_long' | 'malformed'
export type PasswordProblem = PasswordFormProblem | 'common'

/** Whether it can be a password at all. `malformed` is text with half a surrogate pair, which has no UTF-8 form. */
export const checkPasswordForm = (plain: string): PasswordFormProblem | null => {
  if (!plain.isWellFormed()) return 'malformed'
  const size = Buffer.byteLength(plain)
  if (size < MIN_PASSWORD_BYTES) return 'too_short'
  return size > MAX_PASSWORD_BYTES ? 'too_long' : null
}

/** Why a new password is refused, or null: its form, or that everybody tries it first. */
export const checkNewPassword = (plain: string): PasswordProblem | null =>
  checkPasswordForm(plain) ?? (isCommonPassword(plain) ? 'common' : null)

/** Hashes a password that `checkPasswordForm` let pass, as a PHC string (`$argon2id$v=19$…`). */
export const hashPassword = async (plain: string): Promise<string> => {
  if (!isHashable(plain)) throw new RangeError('hashPassword: the password is over the limit or not text')
  const salt = randomBytes(SALT_BYTES)
  const work = today
  return formatPhc({ ...work, salt, hash: await derive(plain, { ...work, salt, length: HASH_BYTES }) })
}

/**
 * Compares a password with a stored PHC string. Pass null for an unknown account: the same work is done, so that the
 * timing reveals nothing. `rehash` means the caller must store a new hash, because the parameters have grown since.
 */
export const verifyPassword = async (plain: string, phc: string | null): Promise<{ ok: boolean; rehash: boolean }> => {
  if (!isHashable(plain)) return { ok: false, rehash: false }
  const stored = phc === null ? decoy() : parsePhc(phc)
  const hash = await derive(plain, { ...stored, length: stored.hash.length })
  const ok = timingSafeEqual(hash, stored.hash) && phc !== null
  return { ok, rehash: ok && isOutdated(stored) }
}

/** Load of the hashing queue, and how many hashes this process has made. */
export const passwordLoad = () => ({ ...semaphore.state(), made })

const isHashable = (plain: string): boolean => plain.isWellFormed() && Buffer.byteLength(plain) <= MAX_PASSWORD_BYTES

const decoy = (): PhcHash => ({ ...today, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) })

const isOutdated = (stored: PhcHash): boolean =>
  stored.memory !== today.memory ||
  stored.passes !== today.passes ||
  stored.parallelism !== today.parallelism ||
  stored.salt.length !== SALT_BYTES ||
  stored.hash.length !== HASH_BYTES

type Work = PasswordWork & { salt: Buffer; length: number }

// RFC 8265 §4.2.2 (OpaqueString): NFC, so that "é" typed on a Mac and on a phone is one password. Nothing else is
// changed: case, spaces, NUL and every byte count.
const derive = (plain: string, work: Work): Promise<Buffer> =>
  semaphore.run(
    () =>
      new Promise((resolve, reject) => {
        made += 1
        const parameters = {
          message: Buffer.from(plain.normalize('NFC')),
          nonce: work.salt,
          memory: work.memory,
          passes: work.passes,
          parallelism: work.parallelism,
          tagLength: work.length,
        }
        argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)))
      }),
  )

/** An argon2id hash with its parameters; `memory` in KiB. */
type PhcHash = { memory: number; passes: number; parallelism: number; salt: Buffer; hash: Buffer }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// A hash row is trusted, yet one wrong row must not be able to take the machine's memory.
const MAX_MEMORY = 1_048_576

/** The PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. */
const formatPhc = ({ memory, passes, parallelism, salt, hash }: PhcHash): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`

/** Reads a PHC string; throws when it is not an argon2id hash within bounds. The text itself is never in the error. */
export const parsePhc = (text: string): PhcHash => {
  const [, memoryText, passesText, parallelismText, salt, hash] = PHC.exec(text) ?? []
  const [memory, passes, parallelism] = [Number(memoryText), Number(passesText), Number(parallelismText)]
  const isValid = salt && hash && passes >= 1 && parallelism >= 1 && memory >= 8 * parallelism && memory <= MAX_MEMORY
  if (!isValid) throw new Error('the stored password hash is not a valid argon2id PHC string')
  return { memory, passes, parallelism, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
