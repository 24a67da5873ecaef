import { randomFillSync } from 'node:crypto'

/** A new UUIDv7: sorts by creation inside this process, also when the clock goes back. Not a secret; see `newToken`. */
export const newId = (): string => nextId(Date.now())

/** True for any RFC 9562 UUID in its 36-character text form, whatever the case. */
export const isUuid = (text: string): boolean => UUID.test(text)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

// RFC 9562 §6.2 method 1: a 32-bit counter fills rand_a and the top 20 bits of rand_b, 42 random bits follow.
// Each millisecond starts it at a random value with the top bit clear, so that it cannot run out before 2^31 ids.
const COUNTER_LIMIT = 2 ** 32
const RANDOM_BYTES_PER_ID = 10
const POOL_IDS = 128

const pool = Buffer.alloc(RANDOM_BYTES_PER_ID * POOL_IDS)
let used = pool.length

const randomChunk = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES_PER_ID
  return pool.subarray(used - RANDOM_BYTES_PER_ID, used)
}

/** Makes a generator with its own state. `newId` is the one the process uses; tests make theirs with a given time. */
export const createIdGenerator = (): ((milliseconds: number) => string) => {
  let lastTime = 0
  let counter = 0

  return (milliseconds) => {
    const random = randomChunk()
    const seed = random.readUInt32BE(0) >>> 1
    if (milliseconds > lastTime) {
      lastTime = milliseconds
      counter = seed
    } else {
      counter += 1
      if (counter === COUNTER_LIMIT) {
        lastTime += 1
        counter = seed
      }
    }
    return format(lastTime, counter, random)
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const format = (time: number, counter: number, random: Buffer): string => {
  const timeText = hex(time, 12)
  const randA = counter >>> 20
  const counterMiddle = (counter >>> 6) & 0x3fff
  const counterLow = counter & 0x3f
  // 6 bits of counter and 42 random bits make the last 12 digits.
  const tail = hex((counterLow << 2) | (random.readUInt8(4) & 0x03), 2) + random.toString('hex', 5, 10)
  return `${timeText.slice(0, 8)}-${timeText.slice(8)}-7${hex(randA, 3)}-${hex(0x8000 | counterMiddle, 4)}-${tail}`
}

const nextId = createIdGenerator()
