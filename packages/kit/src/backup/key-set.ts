/** Hashes in hex, in little memory: 32 bytes each. */
export type KeySet = { add(key: string): void; has(key: string): boolean }

/** Half of a SHA-256 identifies contents just as well. */
const BYTES = 16
const MIN_SLOTS = 1_024

/** For at most so many keys. Hashes are spread evenly by themselves, so their first bytes are the slot. */
export const createKeySet = (capacity: number): KeySet => {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(MIN_SLOTS, capacity * 2)))
  const table = Buffer.alloc(slots * BYTES)
  const taken = new Uint8Array(slots)
  const find = (bytes: Buffer): number => {
    let slot = bytes.readUInt32BE() % slots
    while (taken[slot] && bytes.compare(table, slot * BYTES, (slot + 1) * BYTES) !== 0) slot = (slot + 1) % slots
    return slot
  }
  const toBytes = (key: string): Buffer => Buffer.from(key.slice(0, 2 * BYTES), 'hex')
  let count = 0
  return {
    add(key) {
      const bytes = toBytes(key)
      const slot = find(bytes)
      if (taken[slot]) return
      if (count === slots - 1) throw new RangeError('more keys than there is room for')
      bytes.copy(table, slot * BYTES)
      taken[slot] = 1
      count += 1
    },
    has: (key) => taken[find(toBytes(key))] === 1,
  }
}
