import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canExecute, chooseAccount, type SystemAccount } from './account.ts'
import { findBinaries } from './binaries.ts'

/** A PostgreSQL data folder that is ready to be served. */
export type Cluster = {
  /** Ours: `server.json`, `server.log` and the data folder `cluster`. */
  folder: string
  data: string
  account: SystemAccount | undefined
  binaries: string
  password: string
  /** The port of the last start; 0 before the first. */
  port: number
}

type Options = {
  folder: string
  extraInitArguments: string[]
  onProgress: (line: string) => void
  /** In place of the installed ones. */
  binaries?: string | undefined
}

/** Opens the cluster in `folder`, creating it on the first call. */
export const openCluster = async ({ folder, extraInitArguments, onProgress, binaries }: Options): Promise<Cluster> => {
  fs.mkdirSync(folder, { recursive: true })
  const data = join(folder, 'cluster')
  const account = chooseAccount(data)
  const cluster = { folder, data, account, binaries: binaries ?? findBinaries(account), ...readSettings(folder) }
  if (!fs.existsSync(data)) {
    onProgress('PostgreSQL: creating the database (only the first time)')
    await create(cluster, extraInitArguments)
  }
  refuseOtherMajor(cluster)
  if (account) restoreOwner(data, account)
  return cluster
}

/** PostgreSQL itself would only say that the files are incompatible. */
const refuseOtherMajor = ({ data, folder, binaries }: Cluster): void => {
  const [found, ours] = [fs.readFileSync(join(data, 'PG_VERSION'), 'utf8').trim(), majorOf(binaries)]
  if (found === ours) return
  throw new Error(`The database in ${folder} is of PostgreSQL ${found}; this version of Stoa comes with PostgreSQL ${ours}. To move it:
  1. With the version of Stoa that you used before: npm run backup -- <folder for the backup>
  2. Rename ${folder}, so that nothing is lost.
  3. With this version: npm run restore -- <folder for the backup>`)
}

const majorOf = (binaries: string): string => {
  const { stdout } = spawnSync(join(binaries, 'bin/postgres'), ['--version'], { encoding: 'utf8' })
  return /(\d+)\.\d/.exec(stdout)?.[1] ?? 'an unknown version'
}

export const saveSettings = ({ folder, port, password }: Cluster): void => {
  const file = join(folder, 'server.json')
  fs.writeFileSync(`${file}.new`, `${JSON.stringify({ port, password })}\n`, { mode: 0o600 })
  fs.renameSync(`${file}.new`, file)
}

/**
 * Runs one of PostgreSQL's programs inside a data folder. Under root the account may not be able to walk to that
 * folder (its parent is 0700); we enter it before we change the account, and the program finds it as its own cwd.
 */
export const programArguments = ({ account }: Pick<Cluster, 'account'>, data: string): string[] => [
  '-D',
  canExecute(account, data) ? data : '/proc/self/cwd',
]

/** Nothing of our environment (secrets, PG* variables) reaches PostgreSQL. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH })

const create = async (cluster: Cluster, extraArguments: string[]): Promise<void> => {
  saveSettings(cluster)
  // A killed initdb leaves half a cluster: it works beside, and a rename makes it the real one.
  const unfinished = `${cluster.data}.new`
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  const passwordFile = `${cluster.data}.password`
  fs.writeFileSync(passwordFile, cluster.password, { mode: 0o600 })
  const { account } = cluster
  if (account) for (const path of [unfinished, passwordFile]) fs.chownSync(path, account.uid, account.gid)
  try {
    await initialise(cluster, unfinished, passwordFile, extraArguments)
  } finally {
    fs.rmSync(passwordFile)
  }
  fs.renameSync(unfinished, cluster.data)
}

const initialise = async (cluster: Cluster, data: string, passwordFile: string, extra: string[]): Promise<void> => {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const stdin = fs.openSync(passwordFile, 'r')
  const child = spawn(
    join(cluster.binaries, 'bin/initdb'),
    [
      ...programArguments(cluster, data),
      '--username=postgres',
      '--auth=scram-sha-256',
      '--pwfile=/dev/stdin',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      `--locale=${locale}`,
      '--data-checksums',
      '--no-instructions',
      // Our passwords are 256 random bits; stretching them would only slow every connection down.
      '--set=scram_iterations=1',
      ...extra,
    ],
    { cwd: data, env: programEnvironment(), stdio: [stdin, 'pipe', 'pipe'], ...cluster.account },
  )
  fs.closeSync(stdin)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(`PostgreSQL couldn't create its data folder ${data}:
${output.join('').trim()}`)
}

const settingsSchema = z.object({ port: z.number(), password: z.string() })

const readSettings = (folder: string): { port: number; password: string } => {
  const file = join(folder, 'server.json')
  if (fs.existsSync(file)) return settingsSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  if (!fs.existsSync(join(folder, 'cluster'))) return { port: 0, password: randomBytes(32).toString('base64url') }
  throw new Error(
    `${file} is missing. It contains the password of the database next to it. Restore it from your backup.`,
  )
}

/** A backup that root copied back belongs to root, and often to everybody's eyes; PostgreSQL accepts neither. */
const restoreOwner = (data: string, account: SystemAccount): void => {
  if (fs.statSync(data).uid === account.uid) return
  spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, data])
  fs.chmodSync(data, 0o700)
}
