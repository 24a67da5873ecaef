import { createPublicKey, KeyObject } from 'node:crypto'
import type { KeyCache, ReadKey } from 'mailauth/lib/tools.js'
import type { DnsLookup } from './lookups.ts'

/** Most mail comes from few signers. Some kilobytes each. */
const MAX_KEYS = 2_000

const known = new Map<string, ReadKey>()

/**
 * Reading a key takes as long as verifying a signature with it, so that keys are remembered by the text of their record,
 * which is still asked for each time.
 */
export const rememberKeys = (own: KeyCache, lookup: DnsLookup): KeyCache => ({
  resolver: own.resolver,
  async get(type, name, minBits, options) {
    if (!/^[\x21-\x7e]+$/.test(name)) return own.get(type, name, minBits, options)
    const [first] = await lookup(name, 'TXT')
    const record = Array.isArray(first) ? first.join('') : (first ?? '')
    const id = `${options.hashAlgo} ${minBits} ${options.strict} ${record}`
    const found = known.get(id)
    if (found) return found
    const read = await own.get(type, name, minBits, options)
    const { publicKey } = read
    const parsed = { ...read, publicKey: publicKey instanceof KeyObject ? publicKey : createPublicKey(publicKey) }
    const [oldest] = known.keys()
    if (known.size >= MAX_KEYS && oldest !== undefined) known.delete(oldest)
    known.set(id, parsed)
    return parsed
  },
})
