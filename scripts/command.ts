// `run.mjs` runs host-side commands through this: `command.ts <service>[,<service>] <file> [arguments]`. The command gets
// the settings and the databases of the services, whether the instance runs or not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabases } from './databases.ts'
import { ensureSecret, loadEnvironment, root } from './environment.ts'
import { claimInstance, explainBusy, readInstance } from './instance.ts'
import { type Service, selectServices, services } from './services.ts'
import { printError, stopRequest } from './terminal.ts'

/** Progress goes beside what the command prints, which programs read. */
const print = (line: string): void => console.error(`· ${line}`)

/** Runs a command file with the databases of the services; gives its exit code. */
export const runCommand = (wanted: Service[], file: string, args: string[]): Promise<number> =>
  withDatabases(wanted, { signal: stopRequest() }, ({ env, urls }) =>
    runFile(file, args, { ...env, ...aloneIf(urls), ...databasesOf(wanted, urls) }),
  )

type Opened = { env: NodeJS.ProcessEnv; urls: Record<string, string> }
type Access = {
  signal: AbortSignal
  /** The services must not run meanwhile. */
  alone?: true
}

/** Works with the databases of these services, whether the instance runs or not; of one that runs, with those that it has. */
export const withDatabases = async (
  services: Service[],
  { signal, alone }: Access,
  work: (opened: Opened) => Promise<number>,
): Promise<number> => {
  const found = loadEnvironment()
  const instance = claimInstance(found.dataDir)
  if (!instance) {
    const urls = alone ? {} : await databasesOfInstance(found.dataDir, services)
    return Object.keys(urls).length > 0 ? work({ env: found.env, urls }) : printError(explainBusy(found.dataDir))
  }
  try {
    const environment = ensureSecret(found, print)
    const databases = await openDatabases(services, { environment, print, signal })
    try {
      return await work({ env: environment.env, urls: databases.urls })
    } finally {
      await databases.stop()
    }
  } finally {
    instance.release()
  }
}

/** The URLs of the databases that exist, by their environment variables. */
const databasesOf = (wanted: Service[], urls: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    wanted.flatMap(({ name, urlVariable }) => (urls[name] ? [[urlVariable, urls[name]] as const] : [])),
  )

/** Services follow the same rule when they read settings: only a service without a sibling uses unprefixed names. */
const aloneIf = (urls: Record<string, string>) => ({ STOA_ALONE: String(Object.keys(urls).length === 1) })

const START_PATIENCE_MS = 20_000

/** An instance that is just starting publishes its databases in a moment. */
const databasesOfInstance = async (dataDir: string, services: Service[]): Promise<Record<string, string>> => {
  for (const deadline = Date.now() + START_PATIENCE_MS; Date.now() < deadline; await sleep(200)) {
    const databases = Object.entries(readInstance(dataDir)?.databases ?? {})
    if (databases.length > 0)
      return Object.fromEntries(databases.filter(([name]) => services.some((service) => service.name === name)))
  }
  return {}
}

const runFile = async (file: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const child = spawn(process.execPath, [resolve(root, file), ...args], { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

if (import.meta.main) {
  const [names = '', file = '', ...args] = process.argv.slice(2)
  process.exit(await runCommand(selectServices(services, names.split(',')), file, args).catch(printError))
}
