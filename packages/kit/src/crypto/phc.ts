/** An argon2id hash with its parameters; `memory` in KiB. */
export type PhcHash = { memory: number; passes: number; parallelism: number; salt: Buffer; hash: Buffer }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// A hash row is trusted, yet one wrong row must not be able to take the machine's memory.
const MAX_MEMORY = 1_048_576

/** The PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. */
export const formatPhc = ({ memory, passes, parallelism, salt, hash }: PhcHash): string =>
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
