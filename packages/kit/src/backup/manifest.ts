import { z } from 'zod'
import { decodeFile, encodeFile } from './container.ts'
import type { Destination } from './destination.ts'
import { BackupError } from './errors.ts'
import type { Protection } from './protection.ts'

const count = z.number().int().min(0)

/** One stored file: so many lines of text, with the hash of its stored bytes. */
const part = z.object({ file: z.string(), rows: count, bytes: count, size: count, sha256: z.string() })
const schemaText = z.object({ before: z.array(z.string()), after: z.array(z.string()) })

const manifestSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  service: z.string(),
  /** The moment of the snapshot: what was committed before is in the backup, what was committed later is not. */
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** Shows whether a SECRET is that of the instance, and reveals nothing else about it. */
  secretId: z.string(),
  schemas: z.array(z.object({ name: z.string(), text: schemaText })),
  tables: z.array(
    z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()), rows: count, parts: z.array(part) }),
  ),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string() })),
  blobs: z.object({
    count,
    /** The keys, one in a line, in their order. */
    parts: z.array(part),
    /** Named by rows, but missing or damaged when the backup was made. */
    missing: z.array(z.string()),
    /** Tables of the schema `public` whose `blob_key` names blobs. */
    tables: z.array(z.string()),
  }),
})

/** What a backup consists of. It is written last: without it there is no backup. */
export type Manifest = z.infer<typeof manifestSchema>
export type BackupPart = z.infer<typeof part>

export const BACKUPS = 'backups/'
const MANIFEST = 'manifest'

export const fileOf = (id: string, name: string): string => `${BACKUPS}${id}/${name}`

/** Ids in the order of time, to the millisecond. */
export const newBackupId = (now: Date, random: string): string => `${now.toISOString().replace(/[:.]/g, '-')}-${random}`

export const writeManifest = async (
  destination: Destination,
  protection: Protection | null,
  manifest: Manifest,
): Promise<void> => {
  const name = fileOf(manifest.id, MANIFEST)
  await destination.put(name, encodeFile(Buffer.from(JSON.stringify(manifest)), { name, protection }))
}

export const readManifest = async (
  destination: Destination,
  protection: Protection | null,
  id: string,
): Promise<Manifest> => {
  const name = fileOf(id, MANIFEST)
  const stored = await destination.get(name)
  if (!stored) throw new BackupError(`${destination.label} has no complete backup ${id}.`)
  const chunks: Buffer[] = []
  for await (const chunk of decodeFile(stored, { name, protection })) chunks.push(chunk)
  const parsed = manifestSchema.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')))
  if (!parsed.success || parsed.data.id !== id)
    throw new BackupError(`${name} is damaged, or of a newer version of Stoa.`, parsed.error)
  return parsed.data
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The ids of what is in the destination, the newest first. */
export const listBackups = async (destination: Destination): Promise<{ complete: string[]; incomplete: string[] }> => {
  const complete = new Set<string>()
  const all = new Set<string>()
  for await (const name of destination.list(BACKUPS)) {
    const [id = '', file] = name.slice(BACKUPS.length).split('/')
    all.add(id)
    if (file === MANIFEST) complete.add(id)
  }
  const newestFirst = (ids: Iterable<string>): string[] => [...ids].sort().reverse()
  return { complete: newestFirst(complete), incomplete: newestFirst(all.difference(complete)) }
}
