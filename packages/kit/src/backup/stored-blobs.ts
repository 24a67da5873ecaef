import { createHash, type Hash } from 'node:crypto'
import { blobPath } from '../blobs/blobs.ts'
import { decodeFile } from './container.ts'
import type { Destination } from './destination.ts'
import { BackupError } from './errors.ts'
import type { BackupPart } from './manifest.ts'
import type { Protection } from './protection.ts'

/** The place that files are read from and written to, and how. */
export type Vault = { destination: Destination; protection: Protection | null }

export const BLOBS = 'blobs/'

/** A blob is stored once, whatever backups need it. */
export const blobFile = (key: string, protection: Protection | null): string =>
  BLOBS + blobPath(protection ? protection.blobName(key) : key)

/** Reads a file of a backup whose stored bytes must have this hash; it fails before its end if they don't. */
export async function* readPart({ destination, protection }: Vault, part: BackupPart): AsyncGenerator<Buffer> {
  const stored = await destination.get(part.file)
  if (!stored) throw new BackupError(`${part.file} is missing.`)
  const hash = createHash('sha256')
  yield* decodeFile(hashed(stored, hash), { name: part.file, protection })
  if (hash.digest('hex') !== part.sha256) throw new BackupError(`${part.file} is damaged or cut.`)
}

async function* hashed(stored: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of stored) {
    hash.update(chunk)
    yield chunk
  }
}

/** Reads a stored blob; it fails before its end if the content doesn't have the key. */
export async function* readStoredBlob({ destination, protection }: Vault, key: string): AsyncGenerator<Buffer> {
  const name = blobFile(key, protection)
  const stored = await destination.get(name)
  if (!stored) throw new BackupError(`${name} is missing (blob ${key}).`)
  const hash = createHash('sha256')
  for await (const chunk of decodeFile(stored, { name, protection })) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== key) throw new BackupError(`${name} is damaged (blob ${key}).`)
}

/** The lines of files that are one list. */
export async function* readLines(vault: Vault, parts: readonly BackupPart[]): AsyncGenerator<string> {
  for (const part of parts) {
    let rest = ''
    for await (const chunk of readPart(vault, part)) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  }
}

/** Works on items as they come, so many at a time; the first failure ends it. */
export const inParallel = async <I>(
  items: AsyncIterable<I> | Iterable<I>,
  parallel: number,
  work: (item: I) => Promise<unknown>,
): Promise<void> => {
  const running = new Set<Promise<unknown>>()
  let failure: { error: unknown } | undefined
  for await (const item of items) {
    const one: Promise<unknown> = work(item)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= parallel) await Promise.race(running)
    if (failure) break
  }
  await Promise.all(running)
  if (failure) throw failure.error
}
