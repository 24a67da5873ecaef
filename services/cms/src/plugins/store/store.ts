import type { Services } from '../../context.ts'
import { error, fail } from '../../errors.ts'
import type { Json } from '../sandbox/sandbox.ts'
import { type Collection, collectionOf, documentOf, idOf, ifVersionOf, listOf, writeCursor } from './arguments.ts'
import {
  type DocumentKey,
  deleteDocument,
  findDocument,
  insertDocument,
  listDocuments,
  lockPlugin,
  type StoredDocument,
  updateDocument,
} from './queries.ts'

/** The plugin that asks, with the collections that it declares. */
export type StorePlugin = { readonly name: string; readonly manifest: { readonly collections: readonly Collection[] } }

/** `store('plans').put('a', {…})` is the method `put` with the collection as its first argument. */
export type StoreCall = { readonly method: string; readonly args: readonly Json[] }

/** Answers what a plugin's code asks of its documents; throws errors of the catalogue. */
export type DocumentStore = (plugin: StorePlugin, call: StoreCall) => Promise<Json>

export const MAX_DOCUMENTS = 10_000
/** Values that cross into the sandbox are limited to 1 MiB; the rest is left for the members around them. */
const MAX_PAGE_BYTES = 1_000_000

type Reach = Pick<Services, 'database' | 'clock'>
type Method = (reach: Reach, plugin: string, collection: Collection, args: readonly Json[]) => Promise<Json>

export const createDocumentStore =
  (reach: Reach): DocumentStore =>
  async ({ name, manifest }, { method, args: [collection, ...args] }) => {
    const run =
      methods.get(method) ?? fail('VALIDATION_FAILED', { message: 'A store only has get, put, delete and list' })
    return run(reach, name, collectionOf(manifest.collections, collection), args)
  }

const get: Method = async ({ database }, plugin, { name: collection }, [id]) => {
  const found = await findDocument(database.db, { plugin, collection, id: idOf(id) })
  return found && toJson(found)
}

const put: Method = async ({ database, clock }, plugin, collection, [id, value, options]) => {
  const key: DocumentKey = { plugin, collection: collection.name, id: idOf(id) }
  const ifVersion = ifVersionOf(options)
  const written = { ...documentOf(collection, value), at: clock.now() }
  const version = await database.tx(async (tx) => {
    const updated = ifVersion === 0 ? null : await updateDocument(tx, key, written, ifVersion)
    if (updated !== null) return updated
    if (ifVersion) throw conflict()
    // Two that add at once must not both find room for one.
    if (!(await lockPlugin(tx, plugin))) return fail('INVALID_STATE', { message: "The plugin isn't installed" })
    const inserted = await insertDocument(tx, key, written, { max: MAX_DOCUMENTS, mustBeNew: ifVersion === 0 })
    if (inserted === null)
      return fail('INVALID_STATE', { message: `The collection ${collection.name} is full: ${MAX_DOCUMENTS} documents` })
    return inserted.version ?? fail('VERSION_CONFLICT')
  })
  return { id: key.id, version }
}

const remove: Method = async ({ database }, plugin, { name: collection }, [id, options]) => {
  const key: DocumentKey = { plugin, collection, id: idOf(id) }
  const ifVersion = ifVersionOf(options)
  const isDeleted = await database.tx((tx) => deleteDocument(tx, key, ifVersion))
  if (ifVersion !== null && !isDeleted) throw conflict()
  return isDeleted
}

const list: Method = async ({ database }, plugin, collection, [options]) => {
  const { mark, ...wanted } = listOf(collection, options)
  const { documents, next } = await listDocuments(database.db, {
    ...wanted,
    plugin,
    collection: collection.name,
    maxBytes: MAX_PAGE_BYTES,
  })
  return { items: documents.map(toJson), cursor: next && writeCursor(next, mark) }
}

const methods: ReadonlyMap<string, Method> = new Map(Object.entries({ get, put, delete: remove, list }))

const conflict = () => error('VERSION_CONFLICT', { message: 'The document was changed or deleted since it was read' })

const toJson = ({ id, version, value, createdAt, updatedAt }: StoredDocument): Json => ({
  id,
  version,
  value,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
