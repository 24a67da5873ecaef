import type { Copy } from './recovery.ts'

/** Copies of unsaved work in this browser. */
export type CopyStore = {
  put: (copy: Copy) => Promise<void>
  drop: (ids: readonly string[]) => Promise<void>
  /** All of one person at one place. */
  list: (account: string, place: string) => Promise<Copy[]>
}

const DATABASE = 'stoa-cms'
const COPIES = 'unsaved'
const BY_PLACE = 'place'

/** The browser's database. Where it is blocked, nothing is kept, and saving works all the same. */
export const createCopyStore = (): CopyStore => {
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
      console.warn('Unsaved work could not be kept in this browser', error)
      return otherwise
    }
  }
  return {
    put: (copy) => guarded(async () => void (await done((await store('readwrite')).put(copy))), undefined),
    drop: (ids) =>
      guarded(async () => {
        const copies = await store('readwrite')
        await Promise.all(ids.map((id) => done(copies.delete(id))))
      }, undefined),
    list: (account, place) =>
      guarded(
        async () => readCopies(await done((await store('readonly')).index(BY_PLACE).getAll([account, place]))),
        [],
      ),
  }
}

const openDatabase = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(COPIES, { keyPath: 'id' }).createIndex(BY_PLACE, ['account', 'place'])
  }
  return done(request)
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

// Another version of this page may have written something else
const readCopies = (found: readonly unknown[]): Copy[] => found.filter(isCopy)

const isCopy = (value: unknown): value is Copy =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.at === 'number' &&
  (value.version === null || typeof value.version === 'number') &&
  isChanges(value.changes)

const isChanges = (value: unknown): boolean =>
  isRecord(value) &&
  ['string', 'undefined'].includes(typeof value.title) &&
  ['string', 'undefined'].includes(typeof value.slug) &&
  (value.data === undefined || isRecord(value.data))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
