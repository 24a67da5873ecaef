// `npm run backup`, `npm run backup:check` and `npm run restore`: see USAGE.
import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { makeBackup } from '@stoa/kit/backup/backup.ts'
import { checkBackup } from '@stoa/kit/backup/check.ts'
import { type Destination, openDestination } from '@stoa/kit/backup/destination.ts'
import { listBackups, type Manifest, readManifest } from '@stoa/kit/backup/manifest.ts'
import { openProtection } from '@stoa/kit/backup/protection.ts'
import { restoreBackups } from '@stoa/kit/backup/restore.ts'
import type { Vault } from '@stoa/kit/backup/stored-blobs.ts'
import { type BackupSettings, backupVariables, readBackupSettings } from '@stoa/kit/config/backup.ts'
import { objectStoreVariables } from '@stoa/kit/config/object-store.ts'
import { loadConfig } from '@stoa/kit/config.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { sourceOf } from './backup-sources.ts'
import { withDatabases } from './command.ts'
import { loadEnvironment } from './environment.ts'
import { type Service, selectServices, services } from './services.ts'
import { print, printError, stopRequest } from './terminal.ts'

const USAGE = `Usage: npm run backup -- [<place>] [cms] [mail]     back up while Stoa runs; without a place, to BACKUP_TO
       npm run backup:check -- <place> [cms] [mail] [--id <backup>]
                                                    read a backup and verify all of it
       npm run restore -- <place> [cms] [mail] [--id <backup>] [--other-secret]
                                                    restore into an empty instance; the newest backup without --id
A place is a folder, or s3://bucket/prefix with the OBJECT_* settings. BACKUP_PASSPHRASE encrypts.`

type Order = { to: string | undefined; chosen: Service[]; isAll: boolean; id: string | undefined; otherSecret: boolean }

const isBackedUp = ({ isExample }: Service): boolean => !isExample

const readOrder = (args: string[]): Order => {
  const options = { id: { type: 'string' }, 'other-secret': { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const all = services.filter(isBackedUp)
  const isName = (text: string | undefined): boolean => all.some(({ name }) => name === text)
  const names = positionals.slice(isName(positionals[0]) ? 0 : 1)
  const to = isName(positionals[0]) ? undefined : positionals[0]
  const chosen = selectServices(all, names)
  return { to, chosen, isAll: names.length === 0, id: values.id, otherSecret: values['other-secret'] }
}

const readSettings = (env: NodeJS.ProcessEnv): BackupSettings =>
  readBackupSettings(loadConfig({ ...backupVariables, ...objectStoreVariables }, { env }))

/** Services of the same session or cgroup get most of a processor that both want. Threads that copy start later, and inherit this. */
const giveWay = (): void => setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const backUp = ({ to: wanted, chosen, isAll }: Order): Promise<number> => {
  giveWay()
  const signal = stopRequest()
  return withDatabases(chosen, { signal }, async ({ env, urls }) => {
    const settings = readSettings(env)
    const to = wanted ?? settings.to
    if (!to) throw new Error(USAGE)
    const known = chosen.filter(({ name }) => urls[name])
    if (!isAll && known.length < chosen.length) throw new Error('The running instance has only some of these services.')
    for (const { name } of known) {
      const source = sourceOf(name, env, urls[name] ?? '')
      const keep = wanted ? null : settings.keep
      const made = await makeBackup(source, { ...settings, to, keep, report: print, signal })
      if (!made) throw new Error(`A backup of ${name} is already running.`)
      const { rows, blobs, copiedBlobs, missingBlobs } = made.summary
      print(`${name}: backup ${made.id} is complete: ${rows} rows, ${blobs} files (${copiedBlobs} new)`)
      if (missingBlobs > 0)
        print(`${name}: ${missingBlobs} files were missing or damaged. npm run backup:check lists them`)
    }
    return 0
  })
}

type Found = Vault & { name: string; manifest: Manifest }

/** Opens the backups of the chosen services; of all services, those that have some. */
const withBackups = async (
  { to, chosen, isAll, id }: Order,
  settings: BackupSettings,
  work: (found: Found[]) => Promise<number>,
): Promise<number> => {
  if (!to) throw new Error(USAGE)
  const opened: Destination[] = []
  try {
    const found: Found[] = []
    for (const { name } of chosen) {
      const destination = await openDestination({ ...settings, to, service: name })
      opened.push(destination)
      const { complete } = await listBackups(destination)
      if (isAll && !complete.some((each) => id === undefined || each === id)) continue
      const protection = await openProtection(destination, settings.passphrase)
      const wanted = id ?? complete[0]
      if (!wanted) throw new Error(`There is no complete backup of ${name} in ${to}.`)
      found.push({ name, destination, protection, manifest: await readManifest(destination, protection, wanted) })
    }
    if (found.length === 0) throw new Error(`There is no complete backup${id ? ` ${id}` : ''} in ${to}.`)
    return await work(found)
  } finally {
    for (const destination of opened) await destination.close()
  }
}

const check = (order: Order): Promise<number> => {
  giveWay()
  return withBackups(order, readSettings(loadEnvironment().env), async (found) => {
    let problems = 0
    for (const { name, manifest, ...vault } of found) {
      const list = await checkBackup(vault, manifest, print)
      problems += list.length
      const rows = manifest.tables.reduce((total, table) => total + table.rows, 0)
      const { count, missing } = manifest.blobs
      if (list.length === 0)
        print(`${name}: backup ${manifest.id} of ${manifest.takenAt} is good: ${rows} rows, ${count} files`)
      for (const line of list) printError(`${name}: ${line}`)
      for (const key of missing) print(`${name}: blob ${key} was already missing or damaged when the backup was made`)
    }
    return problems === 0 ? 0 : 1
  })
}

const restore = (order: Order): Promise<number> =>
  withBackups(order, readSettings(loadEnvironment().env), (found) => {
    const chosen = order.chosen.filter(({ name }) => found.some((each) => each.name === name))
    const signal = stopRequest()
    return withDatabases(chosen, { signal, alone: true }, async ({ env, urls }) => {
      const log = createLogger({ name: 'restore', level: 'warn' })
      const options = { report: print, log, otherSecret: order.otherSecret, signal }
      const restores = found.map(({ name, manifest, ...vault }) => {
        return { target: sourceOf(name, env, urls[name] ?? ''), vault, manifest }
      })
      await restoreBackups(restores, options)
      for (const { name, manifest } of found) print(`${name}: restored as of ${manifest.takenAt}`)
      return 0
    })
  })

const commands: Record<string, (order: Order) => Promise<number>> = { backup: backUp, check, restore }

if (import.meta.main) {
  const [name = '', ...args] = process.argv.slice(2)
  const run = async (): Promise<number> => {
    const command = commands[name]
    if (!command) throw new Error(USAGE)
    return command(readOrder(args))
  }
  process.exit(await run().catch(printError))
}
