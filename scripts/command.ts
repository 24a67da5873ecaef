// `run.mjs` runs host-side commands through this: `command.ts <service> <file> [arguments]`. The command gets the
// settings and the database of the service, whether the instance runs or not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabases } from './databases.ts'
import { ensureSecret, loadEnvironment, root } from './environment.ts'
import { claimInstance, explainBusy, readInstance } from './instance.ts'
import { type Service, selectServices, services } from './services.ts'
import { complain, stopRequest } from './terminal.ts'

/** Progress goes beside what the command prints, which programs read. */
const say = (line: string): void => console.error(`· ${line}`)

/** Runs a command file with the service's database; gives its exit code. */
export const runCommand = async (service: Service, file: string, args: string[]): Promise<number> => {
  const signal = stopRequest()
  const found = loadEnvironment()
  const instance = claimInstance(found.dataDir)
  if (!instance) {
    const url = await databaseOfInstance(found.dataDir, service.name)
    return url
      ? runFile(file, args, { ...found.env, [service.urlVariable]: url })
      : complain(explainBusy(found.dataDir))
  }
  try {
    const environment = ensureSecret(found, say)
    const databases = await openDatabases([service], { environment, say, signal })
    try {
      return await runFile(file, args, { ...environment.env, [service.urlVariable]: databases.urls[service.name] })
    } finally {
      await databases.stop()
    }
  } finally {
    instance.release()
  }
}

const START_PATIENCE_MS = 20_000

/** An instance that is just starting tells its databases in a moment. */
const databaseOfInstance = async (dataDir: string, name: string): Promise<string | undefined> => {
  for (const deadline = Date.now() + START_PATIENCE_MS; Date.now() < deadline; await sleep(200)) {
    const databases = readInstance(dataDir)?.databases ?? {}
    if (Object.keys(databases).length > 0) return databases[name]
  }
  return undefined
}

const runFile = async (file: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const child = spawn(process.execPath, [resolve(root, file), ...args], { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

if (import.meta.main) {
  const [name = '', file = '', ...args] = process.argv.slice(2)
  const [service] = selectServices(services, [name])
  process.exit(service ? await runCommand(service, file, args).catch(complain) : 2)
}
