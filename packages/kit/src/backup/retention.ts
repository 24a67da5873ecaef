import { runSteps } from '../db/batches.ts'
import { createKeySet } from './key-set.ts'
import { BACKUPS, listBackups, readManifest } from './manifest.ts'
import { BLOBS, blobFile, readLines, type Vault } from './stored-blobs.ts'

/**
 * Keeps the newest backups and removes the older ones, what interrupted ones left, and the blobs that no backup needs that
 * is still there: one that cannot be removed keeps its blobs, and none of the others. Only for the holder of the lease:
 * nobody else adds blobs meanwhile.
 */
export const removeOldBackups = async (vault: Vault, keep: number): Promise<void> => {
  const { destination } = vault
  const { complete, incomplete } = await listBackups(destination)
  const old = [...complete.slice(Math.max(1, keep)), ...incomplete]
  if (old.length === 0) return
  await runSteps([
    ...old.map((id) => () => removeBackup(vault, id)),
    async () => removeUnneededBlobs(vault, (await listBackups(destination)).complete),
  ])
}

/** The manifest goes first: from then on it is no backup any more. */
const removeBackup = async ({ destination }: Vault, id: string): Promise<void> => {
  const names: string[] = []
  for await (const name of destination.list(`${BACKUPS}${id}/`)) names.push(name)
  for (const name of names.sort((a, b) => Number(b.endsWith('/manifest')) - Number(a.endsWith('/manifest'))))
    await destination.delete(name)
}

const removeUnneededBlobs = async (vault: Vault, kept: readonly string[]): Promise<void> => {
  const manifests = []
  for (const id of kept) manifests.push(await readManifest(vault.destination, vault.protection, id))
  const needed = createKeySet(manifests.reduce((total, { blobs }) => total + blobs.count, 0))
  for (const { blobs } of manifests)
    for await (const key of readLines(vault, blobs.parts)) needed.add(nameIn(blobFile(key, vault.protection)))
  for await (const name of vault.destination.list(BLOBS))
    if (!needed.has(nameIn(name))) await vault.destination.delete(name)
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
