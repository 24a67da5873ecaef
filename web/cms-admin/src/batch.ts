/** The largest number of records that the service returns for one request. */
const MAX_IDS = 100
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Read<T> = {
  /** Returns the records that exist among these ids. */
  many: (ids: readonly string[]) => Promise<readonly T[]>
  /** One, or the reason why not. */
  one: (id: string) => Promise<T>
}

/** Reads records that many parts of a screen ask for one by one: those of the same moment come with one request. */
export const createBatch = <T extends { id: string }>(read: Read<T>): ((id: string) => Promise<T>) => {
  let waiting = new Map<string, PromiseWithResolvers<T>>()
  const flush = () => {
    const asked = [...waiting]
    waiting = new Map()
    for (let start = 0; start < asked.length; start += MAX_IDS) void settle(read, asked.slice(start, start + MAX_IDS))
  }
  return (id) => {
    // An address may name anything: it must not spoil the request of the others
    if (!UUID.test(id)) return read.one(id)
    if (waiting.size === 0) setTimeout(flush)
    const asked = waiting.get(id) ?? Promise.withResolvers<T>()
    waiting.set(id, asked)
    return asked.promise
  }
}

type Asked<T> = readonly (readonly [string, PromiseWithResolvers<T>])[]

const settle = async <T extends { id: string }>(read: Read<T>, asked: Asked<T>): Promise<void> => {
  try {
    const found = asked.length > 1 ? await read.many(asked.map(([id]) => id)) : []
    const known = new Map(found.map((record) => [record.id, record]))
    // A record missing from the list may still be readable by its id
    for (const [id, { resolve }] of asked) resolve(known.get(id) ?? read.one(id))
  } catch (error) {
    for (const [, { reject }] of asked) reject(error)
  }
}
