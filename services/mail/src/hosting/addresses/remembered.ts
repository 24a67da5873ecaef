import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

/**
 * Keyed hashes of passwords that were checked a moment ago: a check takes 45 ms, and clients sign in for every connection.
 * Each belongs to one stored hash, so a changed password is forgotten by itself.
 */
export type RememberedPasswords = {
  has(addressId: string, password: string, checked: { passwordHash: string; now: Date }): boolean
  add(addressId: string, password: string, checked: { passwordHash: string; now: Date }): void
}

const LIFETIME_MS = 5 * 60_000
const MAX_REMEMBERED = 20_000

export const createRememberedPasswords = (): RememberedPasswords => {
  const key = createSecretKey(randomBytes(32))
  const right = new Map<string, { passwordHash: string; until: number }>()
  const keyOf = (addressId: string, password: string): string =>
    createHmac('sha256', key).update(addressId).update('\0').update(password.normalize('NFC')).digest('base64')
  return {
    has: (addressId, password, { passwordHash, now }) => {
      const known = right.get(keyOf(addressId, password))
      return known !== undefined && known.passwordHash === passwordHash && known.until > now.getTime()
    },
    add: (addressId, password, { passwordHash, now }) => {
      if (right.size >= MAX_REMEMBERED) right.clear()
      right.set(keyOf(addressId, password), { passwordHash, until: now.getTime() + LIFETIME_MS })
    },
  }
}
