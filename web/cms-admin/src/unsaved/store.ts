/** Unsaved work that is kept in this browser. */
export type Kept = {
  /** One for each time that something is opened: two tabs do not write over each other. */
  id: string
  account: string
  /** What it was written at. */
  place: string
  at: number
}

export type KeptStore<K extends Kept> = {
  /** Whether it is kept now. */
  put: (kept: K) => Promise<boolean>
  drop: (ids: readonly string[]) => Promise<void>
  /** All of one person at one place. */
  list: (account: string, place: string) => Promise<K[]>
}

const DATABASE = 'stoa-cms'
const COPIES = 'unsaved'
const BY_PLACE = 'place'
/** The most copies kept in a browser, across all accounts; the oldest are removed first. */
const MAX_KEPT = 100

/**
 * The browser's database. Where it is blocked, nothing is kept, and saving works all the same. `isKept` checks what another
 * version of this page may have written.
 */
export const createKeptStore = <K extends Kept>(isKept: (value: Kept) => value is K): KeptStore<K> => {
  let opened: Promise<IDBDatabase> | undefined
  const open = () => {
    opened ??= openDatabase()
    return opened
  }
  const store = async (mode: IDBTransactionMode) => (await open()).transaction(COPIES, mode).objectStore(COPIES)
  const guarded = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      opened = undefined
      console.warn("Couldn't save unsaved work in this browser", error)
      return otherwise
    }
  }
  return {
    put: (kept) =>
      guarded(async () => {
        const copies = await store('readwrite')
        await done(copies.put(kept))
        if ((await done(copies.count())) > MAX_KEPT) await dropOldest(copies)
        return true
      }, false),
    drop: (ids) =>
      guarded(async () => {
        const copies = await store('readwrite')
        await Promise.all(ids.map((id) => done(copies.delete(id))))
      }, undefined),
    list: (account, place) =>
      guarded(async () => {
        const found: unknown[] = await done((await store('readonly')).index(BY_PLACE).getAll([account, place]))
        return found.filter(isAnyKept).filter(isKept)
      }, []),
  }
}

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(COPIES, { keyPath: 'id' }).createIndex(BY_PLACE, ['account', 'place'])
  }
  return done(request)
}

const dropOldest = async (copies: IDBObjectStore): Promise<void> => {
  const all: unknown[] = await done(copies.getAll())
  const kept = all.filter(isAnyKept).toSorted((a, b) => b.at - a.at)
  await Promise.all(kept.slice(MAX_KEPT).map(({ id }) => done(copies.delete(id))))
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const isAnyKept = (value: unknown): value is Kept =>
  isRecord(value) && typeof value.id === 'string' && typeof value.at === 'number'

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
